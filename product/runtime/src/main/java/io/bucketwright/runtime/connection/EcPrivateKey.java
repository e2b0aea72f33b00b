package io.bucketwright.runtime.connection;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * A private key in the format {@code EC PRIVATE KEY} (RFC 5915), which the JDK cannot read. fabric8 reads it, but generates a
 * whole key pair to learn the parameters of the curve: a tenth of the CPU of a start.
 */
final class EcPrivateKey {

    private static final String BEGIN = "-----BEGIN EC PRIVATE KEY-----";
    private static final String END = "-----END EC PRIVATE KEY-----";

    private static final int INTEGER = 0x02;
    private static final int OCTETS = 0x04;
    private static final int SEQUENCE = 0x30;
    private static final byte[] VERSION_0 = {INTEGER, 1, 0};

    /** The object identifier 1.2.840.10045.2.1, a key for elliptic curves. */
    private static final byte[] EC = {6, 7, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 2, 1};

    /** The parameters of a key, in hexadecimal digits: the curves that the JDK knows, by their encoded object identifiers. */
    private static final List<String> CURVES =
            List.of("a00a" + "06082a8648ce3d030107", "a007" + "06052b81040022", "a007" + "06052b81040023");

    private final byte[] encoded;

    private EcPrivateKey(byte[] encoded) {
        this.encoded = encoded;
    }

    /** Reads a PEM; empty if it is in another format, does not name the curve, or the JDK does not know the curve. */
    static Optional<EcPrivateKey> read(byte[] pem) {
        String text = new String(pem, StandardCharsets.ISO_8859_1);
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 || end < begin) {
            return Optional.empty();
        }
        try {
            byte[] der = Base64.getMimeDecoder().decode(text.substring(begin + BEGIN.length(), end));
            String digits = HexFormat.of().formatHex(der);
            for (String parameters : CURVES) {
                if (digits.contains(parameters)) {
                    byte[] curve = HexFormat.of().parseHex(parameters.substring(4));
                    byte[] key = value(SEQUENCE, VERSION_0, value(SEQUENCE, EC, curve), value(OCTETS, der));
                    PrivateKey _ = KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(key));
                    return Optional.of(new EcPrivateKey(key));
                }
            }
            return Optional.empty();
        } catch (RuntimeException | GeneralSecurityException e) {
            // Not valid: who reads it next reports it.
            return Optional.empty();
        }
    }

    /** The same key as PEM in the format {@code PRIVATE KEY} (PKCS #8). */
    byte[] pkcs8() {
        return ("-----BEGIN PRIVATE KEY-----\n" + Base64.getMimeEncoder().encodeToString(encoded)
                        + "\n-----END PRIVATE KEY-----\n")
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] value(int tag, byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteArrayOutputStream value = new ByteArrayOutputStream();
        value.write(tag);
        if (length > 0xff) {
            value.write(0x82);
            value.write(length >> 8);
        } else if (length > 0x7f) {
            value.write(0x81);
        }
        value.write(length);
        for (byte[] part : parts) {
            value.writeBytes(part);
        }
        return value.toByteArray();
    }
}

package io.bucketwright.runtime.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EcPrivateKeyTest {

    /** Encoded object identifiers of the curves. */
    @ParameterizedTest
    @CsvSource({"secp256r1, BggqhkjOPQMBBw==, 32", "secp384r1, BgUrgQQAIg==, 48", "secp521r1, BgUrgQQAIw==, 66"})
    void theJdkReadsTheConvertedKey(String curve, String identifier, int size) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec(curve));
        KeyPair pair = generator.generateKeyPair();
        ECPrivateKey key = (ECPrivateKey) pair.getPrivate();

        byte[] sec1 =
                sec1(key, (ECPublicKey) pair.getPublic(), Base64.getDecoder().decode(identifier), size);
        EcPrivateKey read = EcPrivateKey.read(pem(sec1)).orElseThrow();
        String pkcs8 = new String(read.pkcs8(), StandardCharsets.ISO_8859_1);
        assertThat(pkcs8).startsWith("-----BEGIN PRIVATE KEY-----\n");
        byte[] der = Base64.getMimeDecoder().decode(pkcs8.replaceAll("-----[A-Z ]+-----", ""));
        ECPrivateKey converted =
                (ECPrivateKey) KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(der));
        assertThat(converted.getS()).isEqualTo(key.getS());
        assertThat(converted.getParams().getOrder()).isEqualTo(key.getParams().getOrder());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-----BEGIN RSA PRIVATE KEY-----\nMAA=\n-----END RSA PRIVATE KEY-----",
                "-----BEGIN EC PRIVATE KEY-----\n-----END EC PRIVATE KEY-----",
                "-----BEGIN EC PRIVATE KEY-----\nMAA=\n-----END EC PRIVATE KEY-----",
                "-----BEGIN EC PRIVATE KEY-----\n/////w==\n-----END EC PRIVATE KEY-----",
                "-----BEGIN EC PRIVATE KEY-----\nMIQ=\n-----END EC PRIVATE KEY-----"
            })
    void otherTextIsLeftToOthers(String pem) {
        assertThat(EcPrivateKey.read(pem.getBytes(StandardCharsets.UTF_8))).isEmpty();
    }

    @Test
    void aKeyWithoutItsCurveIsLeftToOthers() {
        byte[] key = {0x30, 6, 2, 1, 1, 4, 1, 7};
        assertThat(EcPrivateKey.read(pem(key))).isEmpty();
    }

    private static byte[] sec1(ECPrivateKey key, ECPublicKey open, byte[] curve, int size) {
        byte[] point = concat(
                new byte[] {0, 4},
                concat(
                        number(open.getW().getAffineX(), size),
                        number(open.getW().getAffineY(), size)));
        return value(
                0x30,
                concat(
                        concat(new byte[] {2, 1, 1}, value(4, number(key.getS(), size))),
                        concat(value(0xa0, curve), value(0xa1, value(3, point)))));
    }

    private static byte[] number(BigInteger value, int size) {
        byte[] bytes = value.toByteArray();
        byte[] number = new byte[size];
        int used = Math.min(bytes.length, size);
        System.arraycopy(bytes, bytes.length - used, number, size - used, used);
        return number;
    }

    private static byte[] value(int tag, byte[] content) {
        byte[] head = content.length > 0x7f
                ? new byte[] {(byte) tag, (byte) 0x81, (byte) content.length}
                : new byte[] {(byte) tag, (byte) content.length};
        return concat(head, content);
    }

    private static byte[] concat(byte[] first, byte[] second) {
        byte[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }

    private static byte[] pem(byte[] der) {
        return ("-----BEGIN EC PRIVATE KEY-----\n" + Base64.getMimeEncoder().encodeToString(der)
                        + "\n-----END EC PRIVATE KEY-----\n")
                .getBytes(StandardCharsets.UTF_8);
    }
}

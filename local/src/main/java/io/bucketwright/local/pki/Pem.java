package io.bucketwright.local.pki;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;

/** Certificates and keys as the text that Kubernetes' programs read. */
final class Pem {

    private static final int LINE = 64;

    private Pem() {}

    static String of(X509Certificate certificate) {
        try {
            return block("CERTIFICATE", certificate.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a certificate that was just made cannot be encoded", e);
        }
    }

    static String of(PrivateKey key) {
        return block("PRIVATE KEY", encoded(key));
    }

    static String of(PublicKey key) {
        return block("PUBLIC KEY", encoded(key));
    }

    static X509Certificate certificate(String pem) throws GeneralSecurityException {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
    }

    static PrivateKey key(String pem) throws GeneralSecurityException {
        String body = pem.replaceAll("-----(BEGIN|END) PRIVATE KEY-----", "");
        return KeyFactory.getInstance("RSA")
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(body)));
    }

    private static byte[] encoded(Key key) {
        byte[] encoded = key.getEncoded();
        if (encoded == null) {
            throw new IllegalStateException("a key of this kind cannot be written to a file");
        }
        return encoded;
    }

    private static String block(String label, byte[] content) {
        String body = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
    }
}

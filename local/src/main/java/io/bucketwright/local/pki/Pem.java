package io.bucketwright.local.pki;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;

/** Certificates and keys as the text that Kubernetes' programs read. */
final class Pem {

    private static final int LINE = 64;
    private static final int CURVE_BITS = 256;

    private Pem() {}

    static String of(X509Certificate certificate) {
        try {
            return block("CERTIFICATE", certificate.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a certificate that was just made cannot be encoded", e);
        }
    }

    // In the elder of the two forms for such keys: fabric8 takes a PKCS#8 key in a kubeconfig for RSA.
    static String of(PrivateKey key) {
        BigInteger secret = ((ECPrivateKey) key).getS();
        try {
            return block(
                    "EC PRIVATE KEY",
                    new org.bouncycastle.asn1.sec.ECPrivateKey(CURVE_BITS, secret, SECObjectIdentifiers.secp256r1)
                            .getEncoded());
        } catch (IOException e) {
            throw new IllegalStateException("a key that was just made cannot be encoded", e);
        }
    }

    static String of(PublicKey key) {
        return block("PUBLIC KEY", key.getEncoded());
    }

    static X509Certificate certificate(String pem) throws GeneralSecurityException {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
    }

    static PrivateKey key(String pem) throws GeneralSecurityException {
        byte[] body = Base64.getMimeDecoder().decode(pem.replaceAll("-----(BEGIN|END) EC PRIVATE KEY-----", ""));
        try {
            AlgorithmIdentifier algorithm =
                    new AlgorithmIdentifier(X9ObjectIdentifiers.id_ecPublicKey, SECObjectIdentifiers.secp256r1);
            PrivateKeyInfo info = new PrivateKeyInfo(algorithm, ASN1Primitive.fromByteArray(body));
            return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(info.getEncoded()));
        } catch (IOException e) {
            throw new GeneralSecurityException("not a private key", e);
        }
    }

    private static String block(String label, byte[] content) {
        String body = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
    }
}

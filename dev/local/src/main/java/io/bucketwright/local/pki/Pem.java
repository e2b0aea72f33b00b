package io.bucketwright.local.pki;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.util.io.pem.PemObject;

/** Certificates and keys as the text that Kubernetes' programs read. */
final class Pem {

    private static final int CURVE_BITS = 256;

    private Pem() {}

    /** A certificate or a public key. */
    static String of(Object object) {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(object);
        } catch (IOException e) {
            throw new UncheckedIOException("what was just made cannot be encoded", e);
        }
        return text.toString();
    }

    // The key names its curve and has the older of the two formats: fabric8 takes a PKCS#8 key in a kubeconfig for
    // an RSA key.
    static String of(PrivateKey key) {
        var content = new org.bouncycastle.asn1.sec.ECPrivateKey(
                CURVE_BITS, ((ECPrivateKey) key).getS(), SECObjectIdentifiers.secp256r1);
        try {
            return of(new PemObject("EC PRIVATE KEY", content.getEncoded()));
        } catch (IOException e) {
            throw new UncheckedIOException("a key that was just made cannot be encoded", e);
        }
    }

    static X509Certificate certificate(String pem) throws IOException, CertificateException {
        return new JcaX509CertificateConverter().getCertificate((X509CertificateHolder) read(pem));
    }

    static PrivateKey key(String pem) throws IOException {
        return new JcaPEMKeyConverter().getPrivateKey(((PEMKeyPair) read(pem)).getPrivateKeyInfo());
    }

    private static Object read(String pem) throws IOException {
        try (PEMParser parser = new PEMParser(new StringReader(pem))) {
            return parser.readObject();
        }
    }
}

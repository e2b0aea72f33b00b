package io.bucketwright.local.pki;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate and its key. The key is never printed. */
public record Credential(X509Certificate certificate, PrivateKey key) {

    public String certificatePem() {
        return Pem.of(certificate);
    }

    public String keyPem() {
        return Pem.of(key);
    }

    /** Writes {@code <name>.crt}, then {@code <name>.key}. */
    public void save(Path folder, String name) throws IOException {
        Files.writeString(folder.resolve(name + ".crt"), certificatePem());
        Files.writeString(folder.resolve(name + ".key"), keyPem());
    }

    /** TLS with this certificate, which trusts the certificates of that authority. */
    public SSLContext tls(X509Certificate authority) {
        try {
            char[] password = new char[0];
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, password);
            store.setCertificateEntry("authority", authority);
            store.setKeyEntry("own", key, password, new Certificate[] {certificate});
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, password);
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("this JVM cannot speak TLS", e);
        }
    }

    @Override
    public String toString() {
        return "Credential[" + certificate.getSubjectX500Principal() + "]";
    }
}

package io.bucketwright.local.pki;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;

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

    @Override
    public String toString() {
        return "Credential[" + certificate.getSubjectX500Principal() + "]";
    }
}

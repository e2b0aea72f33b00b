package io.bucketwright.store.connection;

import io.bucketwright.store.errors.StoreException.Invalid;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** The CA certificates of the class parameter {@code caBundle}. */
public final class CaBundle {

    /** The class parameter. Applications get its value, whatever the store. */
    public static final String PARAMETER = "caBundle";

    private CaBundle() {}

    public static List<Certificate> parse(String pem) {
        try {
            Collection<? extends Certificate> certificates = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
            if (certificates.isEmpty()) {
                throw new Invalid("must contain at least one certificate");
            }
            return List.copyOf(certificates);
        } catch (GeneralSecurityException e) {
            throw new Invalid("must be certificates in PEM format", e);
        }
    }

    public static TrustManager[] trustManagers(String pem) {
        try {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            int number = 0;
            for (Certificate certificate : parse(pem)) {
                trusted.setCertificateEntry("ca-" + number++, certificate);
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(trusted);
            return factory.getTrustManagers();
        } catch (GeneralSecurityException | IOException e) {
            throw new Invalid("caBundle cannot be used", e);
        }
    }
}

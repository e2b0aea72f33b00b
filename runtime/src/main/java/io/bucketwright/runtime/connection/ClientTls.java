package io.bucketwright.runtime.connection;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.internal.CertUtils;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import java.io.IOException;
import java.io.InputStream;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Applies a configuration to a client, as fabric8 does, with less work for TLS. If the configuration has a certificate
 * authority, only that one is trusted, as by kubectl. fabric8 adds the 140 authorities of the JDK, and parses all of them at
 * each start.
 */
record ClientTls(Config config) {

    void apply(HttpClient.Builder builder, HttpClient.Factory factory) {
        try {
            replaceEcKey();
            if (hasAuthority()) {
                applyWithAuthority(builder, factory);
            } else {
                HttpClientUtils.applyCommonConfiguration(config, builder, factory);
            }
        } catch (IOException | GeneralSecurityException e) {
            throw KubernetesClientException.launderThrowable(e);
        }
    }

    private boolean hasAuthority() {
        return (isSet(config.getCaCertData()) || isSet(config.getCaCertFile()))
                && !config.isTrustCerts()
                && !isSet(config.getTrustStoreFile());
    }

    private void applyWithAuthority(HttpClient.Builder builder, HttpClient.Factory factory)
            throws IOException, GeneralSecurityException {
        TrustManager[] authority = authority();
        // fabric8 reads the authorities of the JDK unless it trusts everybody. The builder gets ours before anybody
        // uses it.
        config.setTrustCerts(true);
        try {
            HttpClientUtils.applyCommonConfiguration(config, builder, factory);
        } finally {
            config.setTrustCerts(false);
        }
        builder.sslContext(SSLUtils.keyManagers(config), authority);
    }

    private TrustManager[] authority() throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        try (InputStream pem = CertUtils.getInputStreamFromDataOrFile(config.getCaCertData(), config.getCaCertFile())) {
            int count = 0;
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                trusted.setCertificateEntry("authority-" + count++, certificate);
            }
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        return factory.getTrustManagers();
    }

    private void replaceEcKey() throws IOException {
        if (!isSet(config.getClientKeyData()) && !isSet(config.getClientKeyFile())) {
            return;
        }
        try (InputStream pem =
                CertUtils.getInputStreamFromDataOrFile(config.getClientKeyData(), config.getClientKeyFile())) {
            EcPrivateKey.read(pem.readAllBytes()).ifPresent(key -> {
                config.setClientKeyData(Base64.getEncoder().encodeToString(key.pkcs8()));
                config.setClientKeyAlgo("EC");
            });
        }
    }

    private static boolean isSet(@Nullable String text) {
        return text != null && !text.isEmpty();
    }

    /** Without credentials. */
    @Override
    public String toString() {
        return "ClientTls[" + config.getMasterUrl() + "]";
    }
}

package io.bucketwright.runtime.connection;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.TlsVersion;
import io.fabric8.kubernetes.client.internal.CertUtils;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Applies a configuration to a client, as fabric8 does, with less work for TLS. If the configuration has a certificate
 * authority, only that one is trusted, as by kubectl. fabric8 adds the 140 authorities of the JDK, and parses all of them at
 * each start. Files are read again when they change.
 */
record ClientTls(Config config) {

    void apply(BlockingClientBuilder builder, BlockingClientFactory factory) {
        try {
            builder.tls(new ReloadedTls(this::context, files(), factory.executor()));
        } catch (IOException | GeneralSecurityException e) {
            throw KubernetesClientException.launderThrowable(e);
        }
        applyProxy(builder, factory);
        builder.tag(config.getRequestConfig());
        if (config.getConnectionTimeout() > 0) {
            builder.connectTimeout(config.getConnectionTimeout(), TimeUnit.MILLISECONDS);
        }
        TlsVersion @Nullable [] versions = config.getTlsVersions();
        if (versions != null && versions.length > 0) {
            builder.tlsVersions(versions);
        }
        if (isSet(config.getTlsServerName())) {
            builder.tlsServerName(config.getTlsServerName());
        }
        HttpClientUtils.createApplicableInterceptors(config, factory).forEach(builder::addOrReplaceInterceptor);
    }

    /**
     * fabric8 chooses the proxy only together with everything else, and reads certificates then. So it gets a configuration
     * without any, for a builder that builds no client: nothing can be sent with it.
     */
    private void applyProxy(BlockingClientBuilder builder, BlockingClientFactory factory) {
        Config onlyAddresses = new ConfigBuilder(Config.empty())
                .withAutoConfigure(false)
                .withMasterUrl(config.getMasterUrl())
                .withTrustCerts(true)
                .withHttpProxy(config.getHttpProxy())
                .withHttpsProxy(config.getHttpsProxy())
                .withNoProxy(config.getNoProxy())
                .withProxyUsername(config.getProxyUsername())
                .withProxyPassword(config.getProxyPassword())
                .build();
        BlockingClientBuilder unused = new BlockingClientBuilder(factory);
        HttpClientUtils.applyCommonConfiguration(onlyAddresses, unused, factory);
        builder.proxyType(unused.getProxyType());
        builder.proxyAddress(unused.getProxyAddress());
        builder.proxyAuthorization(unused.getProxyAuthorization());
    }

    private SSLContext context() throws IOException, GeneralSecurityException {
        return SSLUtils.sslContext(keyManagers(), hasAuthority() ? authority() : SSLUtils.trustManagers(config));
    }

    /** What {@link #context} reads; a kubeconfig may contain the data itself instead. */
    private List<Path> files() {
        List<Path> files = new ArrayList<>();
        addUnlessData(files, config.getCaCertData(), config.getCaCertFile());
        addUnlessData(files, config.getClientCertData(), config.getClientCertFile());
        addUnlessData(files, config.getClientKeyData(), config.getClientKeyFile());
        return files;
    }

    private static void addUnlessData(List<Path> files, @Nullable String data, @Nullable String file) {
        if (!isSet(data) && file != null && !file.isEmpty()) {
            files.add(Path.of(file));
        }
    }

    private boolean hasAuthority() {
        return (isSet(config.getCaCertData()) || isSet(config.getCaCertFile()))
                && !config.isTrustCerts()
                && !isSet(config.getTrustStoreFile());
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

    /** fabric8 would generate a key pair only to read an EC key. */
    KeyManager[] keyManagers() throws IOException, GeneralSecurityException {
        if (!isSet(config.getClientKeyData()) && !isSet(config.getClientKeyFile())) {
            return SSLUtils.keyManagers(config);
        }
        String data = config.getClientKeyData();
        String algorithm = config.getClientKeyAlgo();
        try (InputStream pem =
                CertUtils.getInputStreamFromDataOrFile(config.getClientKeyData(), config.getClientKeyFile())) {
            Optional<EcPrivateKey> key = EcPrivateKey.read(pem.readAllBytes());
            if (key.isPresent()) {
                data = Base64.getEncoder().encodeToString(key.get().pkcs8());
                algorithm = "EC";
            }
        }
        return SSLUtils.keyManagers(
                config.getClientCertData(),
                config.getClientCertFile(),
                data,
                config.getClientKeyFile(),
                algorithm,
                config.getClientKeyPassphrase(),
                config.getKeyStoreFile(),
                config.getKeyStorePassphrase());
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

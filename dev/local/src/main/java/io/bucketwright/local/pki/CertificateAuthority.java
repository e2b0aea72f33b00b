package io.bucketwright.local.pki;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * The cluster's own certificate authority: it signs the servers' certificates and those by which users are known.
 * Keys are elliptic: those of RSA take a second each to make, and every user of a test has one.
 */
public record CertificateAuthority(Credential credential) {

    private static final Duration VALIDITY = Duration.ofDays(3650);
    private static final int SERIAL_BITS = 128;
    private static final Set<ASN1ObjectIdentifier> CRITICAL = Set.of(Extension.basicConstraints, Extension.keyUsage);

    public static CertificateAuthority create() {
        KeyPair keys = keys();
        X500Name name = new X500Name("CN=bucketwright-local-ca");
        return new CertificateAuthority(sign(
                name,
                keys.getPrivate(),
                name,
                keys,
                Map.of(
                        Extension.basicConstraints, new BasicConstraints(true),
                        Extension.keyUsage, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.digitalSignature))));
    }

    /** Reads the credential that was saved as {@code ca}. */
    public static CertificateAuthority load(Path folder) throws IOException {
        try {
            return new CertificateAuthority(new Credential(
                    Pem.certificate(Files.readString(folder.resolve("ca.crt"))),
                    Pem.key(Files.readString(folder.resolve("ca.key")))));
        } catch (GeneralSecurityException e) {
            throw new IOException("the certificate authority in " + folder + " cannot be read", e);
        }
    }

    /** A certificate for servers on loopback. */
    public Credential server(List<String> dnsNames, List<String> addresses) {
        GeneralName[] names = Stream.concat(
                        dnsNames.stream().map(name -> new GeneralName(GeneralName.dNSName, name)),
                        addresses.stream().map(address -> new GeneralName(GeneralName.iPAddress, address)))
                .toArray(GeneralName[]::new);
        return issue(
                new X500Name("CN=bucketwright-local"),
                KeyPurposeId.id_kp_serverAuth,
                Map.of(Extension.subjectAlternativeName, new GeneralNames(names)));
    }

    /** A client certificate that authenticates a user and their groups. */
    public Credential client(String user, List<String> groups) {
        X500NameBuilder subject = new X500NameBuilder(BCStyle.INSTANCE);
        groups.forEach(group -> subject.addRDN(BCStyle.O, group));
        subject.addRDN(BCStyle.CN, user);
        return issue(subject.build(), KeyPurposeId.id_kp_clientAuth, Map.of());
    }

    /** A kubeconfig with the certificate and the key of the user inside: it works wherever it is copied on this machine. */
    public String kubeconfig(String server, String user, List<String> groups) {
        Credential client = client(user, groups);
        return """
                apiVersion: v1
                kind: Config
                current-context: bucketwright-local
                clusters:
                - name: bucketwright-local
                  cluster:
                    server: %s
                    certificate-authority-data: %s
                users:
                - name: %s
                  user:
                    client-certificate-data: %s
                    client-key-data: %s
                contexts:
                - name: bucketwright-local
                  context:
                    cluster: bucketwright-local
                    user: %3$s
                """.formatted(
                        server,
                        base64(credential.certificatePem()),
                        quoted(user),
                        base64(client.certificatePem()),
                        base64(client.keyPem()));
    }

    /** Writes a key pair without a certificate, with which the API server signs service account tokens. */
    public static void saveTokenKeys(Path folder) throws IOException {
        KeyPair keys = keys();
        Files.writeString(folder.resolve("tokens.key"), Pem.of(keys.getPrivate()));
        Files.writeString(folder.resolve("tokens.pub"), Pem.of(keys.getPublic()));
    }

    private Credential issue(X500Name subject, KeyPurposeId purpose, Map<ASN1ObjectIdentifier, ASN1Encodable> more) {
        Map<ASN1ObjectIdentifier, ASN1Encodable> extensions = new HashMap<>(more);
        extensions.put(Extension.extendedKeyUsage, new ExtendedKeyUsage(purpose));
        extensions.put(Extension.keyUsage, new KeyUsage(KeyUsage.digitalSignature));
        X500Name issuer = X500Name.getInstance(
                credential.certificate().getSubjectX500Principal().getEncoded());
        return sign(issuer, credential.key(), subject, keys(), extensions);
    }

    private static Credential sign(
            X500Name issuer,
            PrivateKey issuerKey,
            X500Name subject,
            KeyPair keys,
            Map<ASN1ObjectIdentifier, ASN1Encodable> extensions) {
        Instant now = Instant.now();
        X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                issuer,
                new BigInteger(SERIAL_BITS, new SecureRandom()).setBit(0),
                Date.from(now.minus(Duration.ofHours(1))),
                Date.from(now.plus(VALIDITY)),
                subject,
                keys.getPublic());
        try {
            for (Map.Entry<ASN1ObjectIdentifier, ASN1Encodable> extension : extensions.entrySet()) {
                builder.addExtension(extension.getKey(), CRITICAL.contains(extension.getKey()), extension.getValue());
            }
            var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(issuerKey);
            return new Credential(
                    new JcaX509CertificateConverter().getCertificate(builder.build(signer)), keys.getPrivate());
        } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
            throw new IllegalStateException("cannot make a certificate for " + subject, e);
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }

    // A YAML double-quoted scalar: user names such as system:node:x, or with quotes, stay one string.
    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static KeyPair keys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM cannot make keys", e);
        }
    }
}

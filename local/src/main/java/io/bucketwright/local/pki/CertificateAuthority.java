package io.bucketwright.local.pki;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
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
public final class CertificateAuthority {

    private static final Duration VALIDITY = Duration.ofDays(3650);
    private static final int SERIAL_BITS = 128;

    private final Credential credential;
    private final SecureRandom random = new SecureRandom();

    private CertificateAuthority(Credential credential) {
        this.credential = credential;
    }

    public static CertificateAuthority create() {
        try {
            SecureRandom random = new SecureRandom();
            KeyPair keys = keys();
            X500Name name = new X500Name("CN=bucketwright-local-ca");
            X509v3CertificateBuilder builder = builder(name, name, keys, random);
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
            builder.addExtension(
                    Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.digitalSignature));
            return new CertificateAuthority(sign(builder, keys, keys));
        } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
            throw new IllegalStateException("cannot make a certificate authority", e);
        }
    }

    /** Reads what {@link #save} wrote. */
    public static CertificateAuthority load(Path folder) throws IOException {
        try {
            return new CertificateAuthority(new Credential(
                    Pem.certificate(Files.readString(folder.resolve("ca.crt"))),
                    Pem.key(Files.readString(folder.resolve("ca.key")))));
        } catch (GeneralSecurityException e) {
            throw new IOException("the certificate authority in " + folder + " cannot be read", e);
        }
    }

    public void save(Path folder) throws IOException {
        Files.writeString(folder.resolve("ca.crt"), credential.certificatePem());
        Files.writeString(folder.resolve("ca.key"), credential.keyPem());
    }

    public String certificatePem() {
        return credential.certificatePem();
    }

    public X509Certificate certificate() {
        return credential.certificate();
    }

    /** A certificate for servers on loopback. */
    public Credential server(List<String> dnsNames, List<String> addresses) {
        GeneralName[] names = Stream.concat(
                        dnsNames.stream().map(name -> new GeneralName(GeneralName.dNSName, name)),
                        addresses.stream().map(address -> new GeneralName(GeneralName.iPAddress, address)))
                .toArray(GeneralName[]::new);
        return issue(new X500Name("CN=bucketwright-local"), KeyPurposeId.id_kp_serverAuth, new GeneralNames(names));
    }

    /** A client certificate that authenticates a user and their groups. */
    public Credential client(String user, List<String> groups) {
        X500NameBuilder subject = new X500NameBuilder(BCStyle.INSTANCE);
        groups.forEach(group -> subject.addRDN(BCStyle.O, group));
        subject.addRDN(BCStyle.CN, user);
        return issue(subject.build(), KeyPurposeId.id_kp_clientAuth, new GeneralNames(new GeneralName[0]));
    }

    /** A key pair without a certificate, as the API server signs service account tokens with. */
    public static TokenKeys tokenKeys() {
        try {
            KeyPair keys = keys();
            return new TokenKeys(Pem.of(keys.getPrivate()), Pem.of(keys.getPublic()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM cannot make keys", e);
        }
    }

    private Credential issue(X500Name subject, KeyPurposeId purpose, GeneralNames names) {
        try {
            KeyPair keys = keys();
            X500Name issuer = X500Name.getInstance(
                    credential.certificate().getSubjectX500Principal().getEncoded());
            X509v3CertificateBuilder builder = builder(issuer, subject, keys, random);
            builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
            if (names.getNames().length > 0) {
                builder.addExtension(Extension.subjectAlternativeName, false, names);
            }
            return sign(builder, keys, new KeyPair(credential.certificate().getPublicKey(), credential.key()));
        } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
            throw new IllegalStateException("cannot make a certificate for " + subject, e);
        }
    }

    private static X509v3CertificateBuilder builder(
            X500Name issuer, X500Name subject, KeyPair keys, SecureRandom random) {
        Instant now = Instant.now();
        return new JcaX509v3CertificateBuilder(
                issuer,
                new BigInteger(SERIAL_BITS, random).setBit(0),
                Date.from(now.minus(Duration.ofHours(1))),
                Date.from(now.plus(VALIDITY)),
                subject,
                keys.getPublic());
    }

    private static Credential sign(X509v3CertificateBuilder builder, KeyPair subject, KeyPair issuer)
            throws GeneralSecurityException, OperatorCreationException {
        var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(issuer.getPrivate());
        return new Credential(
                new JcaX509CertificateConverter().getCertificate(builder.build(signer)), subject.getPrivate());
    }

    private static KeyPair keys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    /** The two halves of the service account key, as PEM text. */
    public record TokenKeys(String privatePem, String publicPem) {
        @Override
        public String toString() {
            return "TokenKeys[***]";
        }
    }
}

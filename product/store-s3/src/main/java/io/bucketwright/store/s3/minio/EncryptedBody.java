package io.bucketwright.store.s3.minio;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Cipher;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The body of a request with a secret to the admin API of MinIO, encrypted with a key derived from the administrator's
 * secret. It consists of a salt (32 bytes), the id of the algorithm (1), a nonce (8) and packages of at most 16 KiB, each with
 * AES-GCM. The algorithm here is the one that MinIO uses in FIPS mode and always accepts: its default one is Argon2, which
 * the JDK lacks.
 */
record EncryptedBody(String secret, SecureRandom random) {

    private static final byte PBKDF2_AES_GCM = 2;
    private static final int ITERATIONS = 8_192;
    private static final int KEY_BITS = 256;
    private static final int TAG_BITS = 128;
    private static final int SALT_LENGTH = 32;
    private static final int NONCE_LENGTH = 8;
    private static final int PACKAGE_LENGTH = 16 << 10;

    /** Precedes the tag of the header in the additional data of the last package. */
    private static final byte LAST = (byte) 0x80;

    byte[] encrypt(String text) {
        byte[] plain = text.getBytes(StandardCharsets.UTF_8);
        if (plain.length > PACKAGE_LENGTH) {
            throw new IllegalArgumentException(
                    "The request body has " + plain.length + " bytes; at most " + PACKAGE_LENGTH + " are supported");
        }
        byte[] salt = new byte[SALT_LENGTH];
        byte[] nonce = new byte[NONCE_LENGTH];
        random.nextBytes(salt);
        random.nextBytes(nonce);
        try {
            SecretKeySpec key = key(salt);
            byte[] header = seal(key, nonce, 0, new byte[0], new byte[0]);
            byte[] additional =
                    ByteBuffer.allocate(1 + header.length).put(LAST).put(header).array();
            byte[] sealed = seal(key, nonce, 1, plain, additional);
            return ByteBuffer.allocate(SALT_LENGTH + 1 + NONCE_LENGTH + sealed.length)
                    .put(salt)
                    .put(PBKDF2_AES_GCM)
                    .put(nonce)
                    .put(sealed)
                    .array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This JDK does not support PBKDF2WithHmacSHA256 or AES/GCM", e);
        }
    }

    private SecretKeySpec key(byte[] salt) throws GeneralSecurityException {
        PBEKeySpec password = new PBEKeySpec(secret.toCharArray(), salt, ITERATIONS, KEY_BITS);
        byte[] key = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                .generateSecret(password)
                .getEncoded();
        return new SecretKeySpec(key, "AES");
    }

    private static byte[] seal(SecretKeySpec key, byte[] nonce, int number, byte[] plain, byte[] additional)
            throws GeneralSecurityException {
        byte[] iv = ByteBuffer.allocate(NONCE_LENGTH + Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(nonce)
                .putInt(number)
                .array();
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, iv));
        cipher.updateAAD(additional);
        return cipher.doFinal(plain);
    }

    @Override
    public String toString() {
        return "EncryptedBody[]";
    }
}

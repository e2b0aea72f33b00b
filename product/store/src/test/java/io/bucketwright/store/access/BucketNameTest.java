package io.bucketwright.store.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.options.BucketOptions;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BucketNameTest {

    @ParameterizedTest
    @ValueSource(strings = {"abc", "my-bucket", "my.bucket.1", "1abc", "a--b", "192.168.1", "192.168.1.one"})
    void validNamesAreAccepted(String name) {
        assertThat(new NewBucketName(new BucketName(name)).name()).hasToString(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"my_bucket", "Photos", "_logs", "abc-", "abc.", "xn--abc", "sthree-abc", "a.b_C-1"})
    void aNameThatABucketGotLongAgoIsAcceptedForExistingBucketsOnly(String name) {
        BucketName existing = new BucketName(name);
        assertThat(existing).hasToString(name);
        assertThatThrownBy(() -> new NewBucketName(existing)).isInstanceOf(Invalid.class);
        assertThatThrownBy(() -> new ProvisionRequest(
                        existing,
                        ProvisionRequest.Naming.GIVEN,
                        new BucketOwner("cluster", "uid"),
                        Access.none(),
                        BucketOptions.unmanaged(),
                        Set.of()))
                .isInstanceOf(Invalid.class);
    }

    @Test
    void existingNamesHaveUpTo255Characters() {
        assertThat(new BucketName("a".repeat(255)).text()).hasSize(255);
        assertThatThrownBy(() -> new BucketName("a".repeat(256))).isInstanceOf(Invalid.class);
    }

    /** Each of these means something in a URL, a policy, an ARN, a signature, XML, JSON, a header or a file name. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "photos*",
                "*",
                "phot?s",
                "photos/*",
                "photos/../private",
                "..",
                "...",
                "photos%2fprivate",
                "photos\",\"arn:aws:s3:::*",
                "${aws:username}",
                "$root",
                "$web",
                "arn:aws:s3:::private",
                "tenant:photos",
                "photos?acl",
                "photos#a",
                "photos&prefix=a",
                "photos=a",
                "photos+a",
                "photos;a",
                "photos@host",
                "photos,private",
                "<Bucket>",
                "photos\\private",
                "photos\r\nHost: evil",
                "photos\u0000",
                "photos\u2028",
                "ph\u043etos",
                ".minio.sys",
                ".sgwtmp",
                "-rf",
                "~root",
                "photos--op-s3",
                "photos--x-s3",
                "photos-s3alias"
            })
    void aNameThatWouldNeedEscapingIsRefusedAlsoForExistingBuckets(String name) {
        assertThatThrownBy(() -> new BucketName(name)).isInstanceOf(Invalid.class);
    }

    @Property(tries = 2000)
    void anAcceptedNameIsItselfInEveryNotation(@ForAll @StringLength(min = 1, max = 12) String name) {
        try {
            String text = new BucketName(name).text();
            assertThat(URLEncoder.encode(text, StandardCharsets.UTF_8)).isEqualTo(text);
            assertThat(URI.create("https://host/" + text + "/key").normalize().getRawPath())
                    .isEqualTo("/" + text + "/key");
            assertThat(text).doesNotContainPattern("[*?$<>&\"'\\\\:/]");
        } catch (Invalid refused) {
            assertThat(refused.getMessage()).isNotBlank();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ab",
                "Abc",
                "photo-booth-62PrQ",
                "a_b",
                "-abc",
                "abc-",
                ".abc",
                "abc.",
                "a..b",
                "192.168.1.1",
                "xn--abc",
                "sthree-abc",
                "amzn-s3-demo-abc",
                "abc-s3alias",
                "abc--ol-s3",
                "abc.mrap",
                "abc--x-s3",
                "abc--table-s3",
                "a/b",
                "a b c",
                "bücher",
                "abc\n",
                "a*c",
                "../etc",
                "a123456789012345678901234567890123456789012345678901234567890123"
            })
    void invalidNamesAreRejectedWithFieldAndInput(String name) {
        assertThatThrownBy(() -> new NewBucketName(new BucketName(name)))
                .isInstanceOf(Invalid.class)
                .hasMessageStartingWith("bucketName \"");
    }

    @Property(tries = 300)
    void generatedNamesAreValidAndStartWithThePrefix(
            @ForAll @StringLength(min = 1, max = 80) @CharRange(from = 'a', to = 'z') @CharRange(from = '0', to = '9')
                    String prefix) {
        BucketName name = BucketName.generate(prefix, new SecureRandom());
        assertThat(name.text()).startsWith(prefix.substring(0, Math.min(prefix.length(), 42)) + "-");
        assertThat(name.text().length()).isLessThanOrEqualTo(63);
    }

    @Property(tries = 500)
    void anyPrefixGivesAValidNameOrIsRejected(
            @ForAll @StringLength(max = 70) @Chars({'a', '1', '.', '-', 'A', '_', '/'}) String prefix) {
        try {
            assertThat(BucketName.generate(prefix, new SecureRandom()).text()).isLowerCase();
        } catch (Invalid refused) {
            assertThat(refused.getMessage()).isNotBlank();
        }
    }

    @Test
    void generatedNamesDiffer() {
        SecureRandom random = new SecureRandom();
        assertThat(BucketName.generate("Photo-Booth", random))
                .isNotEqualTo(BucketName.generate("Photo-Booth", random))
                .satisfies(name -> assertThat(name.text()).startsWith("photo-booth-"));
    }

    @Test
    void messagesEscapeHostileInput() {
        assertThatThrownBy(() -> new BucketName("a\u001b[31m\n" + "x".repeat(500)))
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\u001b", "\n"))
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(250));
    }
}

package io.bucketwright.store.azure;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.store.connection.SecretValue;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** What Azurite does not check, or checks in another way than Azure. */
final class SharedKeyTest {

    private static final byte[] KEY = "secret".getBytes(StandardCharsets.UTF_8);

    private final SharedKey key =
            new SharedKey("account", SecretValue.of(Base64.getEncoder().encodeToString(KEY)));

    /** Azure compares texts as .NET does: an underscore is before digits, although its code is behind theirs. */
    @Test
    void headersAreSignedInTheOrderOfAzure() throws GeneralSecurityException {
        List<String> ordered = List.of(
                "x-ms-date",
                "x-ms-lease-id",
                "x-ms-meta-bucketwright_claim_name",
                "x-ms-meta-team",
                "x-ms-meta-team_",
                "x-ms-meta-team_x2d_a",
                "x-ms-meta-team_x2e_a",
                "x-ms-meta-team1",
                "x-ms-meta-team1_b",
                "x-ms-meta-team10",
                "x-ms-meta-team2",
                "x-ms-meta-teama",
                "x-ms-version");
        StringBuilder headers = new StringBuilder();
        ordered.forEach(name -> headers.append(name).append(":v\n"));
        String expected = "PUT\n\n\n\n\n\n\n\n\n\n\n\n" + headers + "/account/photos\ncomp:metadata";
        List<String> shuffled = new ArrayList<>(ordered);
        Collections.shuffle(shuffled, new Random(17));
        Map<String, String> unordered = new HashMap<>();
        shuffled.forEach(name -> unordered.put(name, "v"));
        assertThat(key.authorization("PUT", "/photos", new TreeMap<>(Map.of("comp", "metadata")), unordered, 0, ""))
                .isEqualTo("SharedKey account:" + signature(expected));
    }

    /** Names of days and months do not depend on the locale data of the JVM. */
    @Test
    void datesAreInTheFormOfHttp() {
        ZonedDateTime first = ZonedDateTime.of(2026, 1, 1, 9, 5, 7, 0, ZoneOffset.UTC);
        List<String> dates = new ArrayList<>();
        for (int month = 0; month < 12; month++) {
            dates.add(BlobService.HTTP_DATE.format(first.plusMonths(month)));
        }
        assertThat(dates)
                .containsExactly(
                        "Thu, 01 Jan 2026 09:05:07 GMT",
                        "Sun, 01 Feb 2026 09:05:07 GMT",
                        "Sun, 01 Mar 2026 09:05:07 GMT",
                        "Wed, 01 Apr 2026 09:05:07 GMT",
                        "Fri, 01 May 2026 09:05:07 GMT",
                        "Mon, 01 Jun 2026 09:05:07 GMT",
                        "Wed, 01 Jul 2026 09:05:07 GMT",
                        "Sat, 01 Aug 2026 09:05:07 GMT",
                        "Tue, 01 Sep 2026 09:05:07 GMT",
                        "Thu, 01 Oct 2026 09:05:07 GMT",
                        "Sun, 01 Nov 2026 09:05:07 GMT",
                        "Tue, 01 Dec 2026 09:05:07 GMT");
    }

    private static String signature(String text) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
        return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    }
}

package io.bucketwright.runtime.keepalive;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.ManualTime;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerActivityTest {

    private static final WatchId CLAIMS =
            WatchId.of(URI.create("wss://host/prefix/apis/objectbucket.io/v1alpha1/objectbucketclaims"
                    + "?labelSelector=b%3D2%2Ca&allowWatchBookmarks=true&watch=true&fieldSelector=metadata.name%3Dx"));
    private static final WatchId OTHER =
            WatchId.of(URI.create("https://host/apis/coordination.k8s.io/v1/namespaces/ns/leases/role"));

    private final ManualTime time = new ManualTime();
    private final Keepalive keepalive = Keepalive.standard();
    private final ServerActivity activity = new ServerActivity(time, keepalive);
    private final Supplier<WatchStatus> claims = activity.track(
            new WatchId("/apis/objectbucket.io/v1alpha1/objectbucketclaims", Set.of("a", "b=2", "metadata.name=x")));

    @Test
    void aLostConnectionIsReportedWithinHalfAMinute() {
        assertThat(keepalive.reportAfter()).isLessThan(Duration.ofSeconds(30));
        // It is found at the first ping interval after the silence, and a reconnect takes at most one more.
        assertThat(keepalive.silence().plus(keepalive.ping().multipliedBy(2)))
                .isLessThanOrEqualTo(keepalive.reportAfter());
    }

    @Test
    void aWatchIsFoundHoweverItsSelectorsAreOrdered() {
        time.advance(Duration.ofSeconds(20));
        activity.received(CLAIMS, keepalive.reportAfter());
        assertThat(claims.get().silence()).isZero();
    }

    @Test
    void aWatchIsLostWhileOtherRequestsAreAnswered() {
        time.advance(Duration.ofSeconds(26));
        activity.responded(OTHER, 200);
        assertThat(claims.get().lost()).isTrue();
        assertThat(claims.get().stuck()).isFalse();
        assertThat(activity.isLost()).isFalse();
    }

    @Test
    void aWatchThatIsNotReconnectedForTwoBookmarkIntervalsIsStuck() {
        time.advance(Duration.ofMinutes(3));
        activity.responded(OTHER, 200);
        assertThat(claims.get().stuck()).isTrue();
    }

    @Test
    void aRestartDoesNotHelpWhileTheApiServerIsSilentAltogether() {
        time.advance(Duration.ofMinutes(3));
        assertThat(activity.isLost()).isTrue();
        assertThat(claims.get().lost()).isTrue();
        assertThat(claims.get().stuck()).isFalse();
    }

    @Test
    void aWatchWithoutPingsMayBeSilentForTwoBookmarkIntervals() {
        activity.received(CLAIMS, keepalive.withoutPings());
        time.advance(Duration.ofSeconds(110));
        assertThat(claims.get().lost()).isFalse();
    }

    @ParameterizedTest(name = "{0} is refused: {1}")
    @CsvSource({"200, false", "403, true", "404, true", "410, false", "503, true"})
    void aRefusedListIsReportedWithItsCode(int code, boolean refused) {
        activity.responded(CLAIMS, code);
        assertThat(claims.get().isRefused()).isEqualTo(refused);
    }
}

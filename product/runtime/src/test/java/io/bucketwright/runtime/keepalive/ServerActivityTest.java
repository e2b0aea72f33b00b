package io.bucketwright.runtime.keepalive;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerActivityTest {

    private final ManualTime time = new ManualTime();
    private final Keepalive keepalive = Keepalive.standard();
    private final ServerActivity activity = new ServerActivity(time, keepalive);
    private final TrackedWatch claims = activity.track();

    @Test
    void aLostConnectionIsReportedWithinHalfAMinute() {
        assertThat(keepalive.reportAfter()).isLessThan(Duration.ofSeconds(30));
        // It is found at the first ping interval after the silence, and a reconnect takes at most one more.
        assertThat(keepalive.silence().plus(keepalive.ping().multipliedBy(2)))
                .isLessThanOrEqualTo(keepalive.reportAfter());
    }

    @Test
    void twoWatchesOfTheSameObjectsAreTrackedSeparately() {
        TrackedWatch other = activity.track();
        time.advance(Duration.ofSeconds(26));
        other.received(keepalive.reportAfter());
        assertThat(other.status().silence()).isZero();
        assertThat(claims.status().lost()).isTrue();
    }

    @Test
    void aWatchIsLostWhileOtherRequestsAreAnswered() {
        time.advance(Duration.ofSeconds(26));
        activity.responded();
        assertThat(claims.status().lost()).isTrue();
        assertThat(claims.status().stuck()).isFalse();
        assertThat(activity.isLost()).isFalse();
    }

    @Test
    void aWatchThatIsNotReconnectedForTwoBookmarkIntervalsIsStuck() {
        time.advance(Duration.ofMinutes(3));
        activity.responded();
        assertThat(claims.status().stuck()).isTrue();
    }

    @Test
    void aRestartDoesNotHelpWhileTheApiServerIsSilentAltogether() {
        time.advance(Duration.ofMinutes(3));
        assertThat(activity.isLost()).isTrue();
        assertThat(claims.status().lost()).isTrue();
        assertThat(claims.status().stuck()).isFalse();
    }

    @Test
    void aRestartMayHelpIfNothingButHandshakesThatFailIsReceivedForMinutes() {
        time.advance(Duration.ofMinutes(5));
        activity.distrusted();
        assertThat(claims.status().stuck()).as("now and then").isFalse();
        time.advance(Duration.ofMinutes(2));
        activity.distrusted();
        assertThat(claims.status().stuck()).isFalse();
        time.advance(Duration.ofMinutes(1));
        assertThat(claims.status().stuck())
                .as("a kubeconfig may have other certificates")
                .isTrue();
        activity.responded();
        time.advance(Duration.ofMinutes(5));
        assertThat(claims.status().stuck()).as("then silence").isFalse();
    }

    @Test
    void aWatchWithoutPingsMayBeSilentForTwoBookmarkIntervals() {
        claims.received(keepalive.withoutPings());
        time.advance(Duration.ofSeconds(110));
        assertThat(claims.status().lost()).isFalse();
    }

    @ParameterizedTest(name = "{0} is refused: {1}")
    @CsvSource({"200, false", "403, true", "404, true", "410, false", "503, true"})
    void aRefusedListIsReportedWithItsCode(int code, boolean refused) {
        claims.responded(code);
        assertThat(claims.status().isRefused()).isEqualTo(refused);
    }

    @ParameterizedTest
    @CsvSource({"403", "404"})
    void aWatchThatIsRefusedForTwoBookmarkIntervalsIsLost(int code) {
        claims.received(keepalive.reportAfter());
        for (int second = 0; second <= keepalive.stuckAfter().toSeconds(); second++) {
            assertThat(claims.status().lost()).as("after %s s", second).isFalse();
            time.advance(Duration.ofSeconds(1));
            claims.responded(code);
        }
        time.advance(Duration.ofSeconds(1));
        assertThat(claims.status().lost()).isTrue();
        assertThat(claims.status().stuck()).isFalse();
        claims.responded(200);
        assertThat(claims.status().lost()).isFalse();
        claims.responded(code);
        assertThat(claims.status().lost()).isFalse();
    }

    @Test
    void aRestartMayHelpAWatchWhoseCredentialsAreRejectedForTwoBookmarkIntervals() {
        for (int second = 0; second <= keepalive.stuckAfter().toSeconds(); second++) {
            claims.responded(403);
            time.advance(Duration.ofSeconds(1));
        }
        claims.responded(401);
        for (int second = 0; second <= keepalive.stuckAfter().toSeconds(); second++) {
            assertThat(claims.status().stuck()).as("after %s s", second).isFalse();
            time.advance(Duration.ofSeconds(1));
            claims.responded(401);
        }
        assertThat(claims.status().stuck())
                .as("a kubeconfig may have other credentials")
                .isTrue();
        claims.responded(200);
        assertThat(claims.status().stuck()).isFalse();
    }
}

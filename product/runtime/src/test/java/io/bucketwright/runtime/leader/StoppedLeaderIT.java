package io.bucketwright.runtime.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.testing.RequestCounts;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Like {@link LeaderIT}, for a leader process that is suspended with SIGSTOP past its lease. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Order(1)
class StoppedLeaderIT {

    @RegisterExtension
    private final LeaderFixture bench = new LeaderFixture();

    @Test
    void aLeaderThatWasStoppedPastItsLeaseChangesNothingWhenItResumes() {
        Candidate stopped = bench.startLeader("a");
        Candidate other = bench.startFollower("b");
        List<String> expected = new ArrayList<>(List.of("a@0"));
        for (int term = 1; term <= 4; term++) {
            stopped.freeze();
            bench.awaitWrites(other, 20);
            expected.add(other.identity() + "@" + term);
            RequestCounts before = bench.requests(stopped);
            int written = bench.journal().total();
            stopped.thaw();
            Awaitility.await().until(() -> bench.journal().total() > written + 50);
            assertThat(bench.journal().writers()).as("%s", bench.journal()).containsExactlyElementsOf(expected);
            RequestCounts after = bench.requests(stopped).since(before);
            assertThat(after.count(request -> request.verb().equals("patch") && request.code() < 300))
                    .as("writes of the old leader that took effect: %s", after)
                    .isZero();
            assertThat(after.writes()).as("writes of the old leader: %s", after).isLessThanOrEqualTo(1);
            bench.awaitCandidate(stopped);
            Candidate next = stopped;
            stopped = other;
            other = next;
        }
    }
}

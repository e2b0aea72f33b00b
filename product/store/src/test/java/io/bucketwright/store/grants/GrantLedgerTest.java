package io.bucketwright.store.grants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.grants.Grant.Account;
import io.bucketwright.store.grants.Grant.Publication;
import io.bucketwright.store.grants.Grant.State;
import io.bucketwright.store.grants.GrantLedgerCodec.UnreadableLedgerException;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GrantLedgerTest {

    private static final Instant NOW = Instant.parse("2026-11-19T12:00:00Z");
    private static final Grantee ALICE = new Grantee("team", "photos", "uid-a");
    private static final Grant FIRST = Grant.issuing(
            GrantLedger.EMPTY.nextId(), ALICE, new Account("ba-uid-a", "", Map.of("region", "eu-1")), NOW);

    @Test
    void aLedgerIsReadAsItWasWritten() throws UnreadableLedgerException {
        Grant published = FIRST.with(new Account("ba-uid-a", "a/b:c@%=", Map.of("region", "eu-1")))
                .with(new Publication("photos", "AKIA1"))
                .in(State.RETIRING, NOW.plusSeconds(5))
                .endingAt(NOW.plusSeconds(60));
        GrantLedger ledger = GrantLedger.EMPTY.with(published);
        GrantLedger full = ledger.with(Grant.issuing(ledger.nextId(), ALICE, new Account("n", "", Map.of()), NOW));

        assertThat(GrantLedgerCodec.decode(GrantLedgerCodec.encode(full))).isEqualTo(full);
        assertThat(GrantLedgerCodec.decode("")).isEqualTo(GrantLedger.EMPTY);
    }

    @Test
    void whatTheObjectTellsIsLeftOutAndWhatDiffersIsNot() throws UnreadableLedgerException {
        Grantee bob = new Grantee("team", "photos", "uid-b");
        Grant published = FIRST.with(new Publication("keys", "AKIA1")).in(State.PUBLISHED, NOW);
        GrantLedger ledger = GrantLedger.EMPTY.with(published);
        GrantLedger both = ledger.with(Grant.issuing(ledger.nextId(), bob, new Account("n", "", Map.of()), NOW));
        String text = GrantLedgerCodec.encode(both, published);

        assertThat(text)
                .containsOnlyOnce("AKIA1")
                .doesNotContain("uid-a", "photos", "ba-uid-a", "keys")
                .contains("uid-b");
        assertThat(GrantLedgerCodec.decode(text, published)).isEqualTo(both);
    }

    @Test
    void nothingEndsBeforeItsTime() throws UnreadableLedgerException {
        Instant end = NOW.plusMillis(200);
        GrantLedger read =
                GrantLedgerCodec.decode(GrantLedgerCodec.encode(GrantLedger.EMPTY.with(FIRST.endingAt(end))));

        assertThat(read.grants().getFirst().until()).contains(NOW.plusSeconds(1));
        assertThat(GrantLedgerCodec.decode(GrantLedgerCodec.encode(read))).isEqualTo(read);
    }

    @Test
    void anIdIsNotUsedAgainAfterItsGrantWasRemoved() {
        GrantLedger after = GrantLedger.EMPTY.with(FIRST).without(FIRST.id());

        assertThat(after.isEmpty()).isTrue();
        assertThat(after.nextId()).isNotEqualTo(FIRST.id());
    }

    @Test
    void aGrantReplacesTheOneWithItsId() {
        GrantLedger ledger = GrantLedger.EMPTY.with(FIRST).with(FIRST.in(State.ISSUED, NOW.plusSeconds(1)));

        assertThat(ledger.grants()).extracting(Grant::state).containsExactly(State.ISSUED);
        assertThat(ledger.of("uid-a")).hasSize(1);
        assertThat(ledger.of("uid-b")).isEmpty();
    }

    @Test
    void whatCannotBeReadCompletelyIsRefused() {
        String good = GrantLedgerCodec.encode(GrantLedger.EMPTY.with(FIRST));

        for (String bad : new String[] {
            "{",
            "[]",
            good.replace("\"version\":1", "\"version\":2"),
            good.replace("ISSUING", "LOST"),
            good.replace("\"account\":", "\"acount\":"),
            good.replace("2026-11-19T", "2026")
        }) {
            assertThatThrownBy(() -> GrantLedgerCodec.decode(bad))
                    .as(bad)
                    .isInstanceOf(UnreadableLedgerException.class);
        }
    }
}

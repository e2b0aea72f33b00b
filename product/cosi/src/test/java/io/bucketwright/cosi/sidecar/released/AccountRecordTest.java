package io.bucketwright.cosi.sidecar.released;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.cosi.sidecar.released.RecordedAccount.State;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class AccountRecordTest {

    private static final String ID = "q3:qumulo/\"a b\"@x%+=";

    @Test
    void everyStateIsReadAsItWasWritten() {
        AccountRecord started = AccountRecord.NONE.started("2027-01-31T12:00:00Z", ID);
        assertThat(AccountRecord.decode(started.encode())).isEqualTo(started);
        AccountRecord published =
                started.withNextName("ba-1").published("2027-02-01T12:00:00Z").renewedAt(Instant.EPOCH);
        assertThat(AccountRecord.decode(published.encode())).isEqualTo(published);
        AccountRecord all = published.with("unused", State.UNUSED).revoking(ID);
        assertThat(AccountRecord.decode(all.encode())).isEqualTo(all);
        assertThat(AccountRecord.decode(AccountRecord.NONE.encode()).isEmpty()).isTrue();
    }

    @Test
    void whatSomebodyGarbledIsLeftOut() {
        assertThat(AccountRecord.decode("")).isEqualTo(AccountRecord.NONE);
        assertThat(AccountRecord.decode("{")).isEqualTo(AccountRecord.NONE);
        assertThat(AccountRecord.decode("[1]")).isEqualTo(AccountRecord.NONE);
        assertThat(
                        AccountRecord.decode(
                                "{\"number\":-3,\"rotation\":\"x\",\"accounts\":[{\"id\":\"a\",\"state\":\"?\"},{\"state\":\"LOST\"},7]}"))
                .isEqualTo(AccountRecord.NONE);
    }

    @Test
    void onlyAccountsThatExistForCertainAreMarked() {
        AccountRecord record = AccountRecord.NONE
                .started("r", "a")
                .with("lost", State.LOST)
                .with("unused", State.UNUSED)
                .leaving();
        assertThat(record.revokingIds()).containsExactlyInAnyOrder("a", "unused");
        assertThat(record.has("lost")).isTrue();
        assertThat(record.isRotating()).isFalse();
    }
}

package io.bucketwright.buckets.claims;

import static io.bucketwright.buckets.claims.World.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Phase;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A store declares options of its own, and a class lets its claims set them. */
class StoreOptionsTest {

    private static World world(String allowed, Map<String, String> options) {
        return World.settled(
                Map.of("allowedOptions", allowed), spec().bucketName("photos").additionalConfig(options));
    }

    @Test
    void anOptionThatTheClassAllowsReachesTheStoreWithTheDefaultsOfTheOthers() {
        World world = world("versioning, store:tier", Map.of("tier", "gold"));
        assertThat(world.phase()).isEqualTo(Phase.BOUND);
        assertThat(world.writes()).isEqualTo(7);
        assertThat(world.store.storeOptions("photos").values()).isEqualTo(Map.of("tier", "gold", "zone", "any"));
        world.assertDeletable();
    }

    @ParameterizedTest
    @CsvSource({
        "versioning, tier, gold, is unknown",
        "store:zone, tier, gold, is unknown",
        "store:tier, tier, lead, must be gold",
        "store:colour, colour, red, is unknown"
    })
    void anOptionThatIsNotAllowedNotDeclaredOrNotValidIsRefused(
            String allowed, String option, String value, String message) {
        World world = world(allowed, Map.of(option, value));
        world.assertReady("Invalid", option, message);
        assertThat(world.store.names()).isEmpty();
        world.assertDeletable();
    }

    @ParameterizedTest
    @CsvSource({"store:", "store:a/b", "store:versioning", "store:maxSize"})
    void aClassCannotAllowANameThatIsNoOptionOfAStore(String allowed) {
        World world = world(allowed, Map.of());
        world.assertReady("InvalidClass", allowed);
    }

    @Test
    void anExistingBucketTakesNoOptions() {
        World world = new World(Map.of("allowedOptions", "store:tier", "bucketName", "shared"));
        world.store.existing("shared");
        world.settle(spec().additionalConfig(Map.of("tier", "gold")));
        assertThat(world.ready().getReason()).isEqualTo("Invalid");
    }

    @ParameterizedTest
    @CsvSource({"gold, lead", "gold, ''", "'', gold"})
    void aChangeAfterTheBucketWasCreatedIsReportedAndAWithdrawnOneIsNot(String first, String second) {
        World world = world("store:tier", options(first));
        assertThat(world.ready().getReason()).isEqualTo("Bound");
        world.settleOptions(options(second));
        world.assertReady("OptionsNotApplied", "only when the bucket is created");
        assertThat(world.phase()).isEqualTo(Phase.BOUND);
        world.restart();
        world.settle();
        assertThat(world.ready().getReason()).isEqualTo("OptionsNotApplied");
        world.settleOptions(options(first));
        assertThat(world.ready().getReason()).isEqualTo("Bound");
    }

    @Test
    void anOptionThatIsCorrectedBeforeTheBucketExistsIsNotReported() {
        World world = world("store:tier", Map.of("tier", "lead"));
        assertThat(world.ready().getReason()).isEqualTo("Invalid");
        world.settleOptions(Map.of("tier", "gold"));
        assertThat(world.ready().getReason()).isEqualTo("Bound");
        assertThat(world.store.storeOptions("photos").values()).containsEntry("tier", "gold");
    }

    private static Map<String, String> options(String tier) {
        return tier.isEmpty() ? Map.of() : Map.of("tier", tier);
    }
}

package io.bucketwright.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.ContentsDeletion.Deleted;
import io.bucketwright.store.ContentsDeletion.Page;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ContentsDeletionTest {

    private static final int PAGE = 10;

    /** Names; those that begin with "kept" cannot be deleted, those that begin with "stale" are listed nevertheless. */
    private final List<String> names = new ArrayList<>();

    private boolean deletedAfterOthers;

    private final ContentsDeletion.Contents<String> contents = new ContentsDeletion.Contents<>() {
        @Override
        public Page<String> first() {
            return page(0);
        }

        private Page<String> page(int from) {
            int end = Math.min(names.size(), from + PAGE);
            return new Page<>(
                    names.subList(from, end).stream()
                            .filter(name -> !name.startsWith("hidden"))
                            .toList(),
                    end < names.size() ? Optional.of(() -> page(end)) : Optional.empty());
        }

        @Override
        public Deleted delete(List<String> entries) {
            long kept = entries.stream().filter(name -> name.startsWith("kept")).count();
            names.removeIf(name -> entries.contains(name) && name.startsWith("free"));
            return new Deleted(entries.size() - kept, kept, kept == 0 ? "" : "an example");
        }

        @Override
        public String name(String entry) {
            return entry;
        }

        @Override
        public boolean isDeletedAfterOthers() {
            return deletedAfterOthers;
        }

        @Override
        public String holder() {
            return "The bucket photos";
        }

        @Override
        public String reason(Deleted deleted) {
            return "keeps " + deleted.kept() + ": " + deleted.example();
        }
    };

    private Progress run(Duration slice) {
        return new ContentsDeletion(StoreCall.within(Duration.ofSeconds(30)), slice, 4).run(contents);
    }

    private void add(String name, int count) {
        IntStream.range(0, count).mapToObj(number -> name + number).forEach(names::add);
    }

    @Test
    void aSliceEndsAfterTheBatchThatUsesItsTime() {
        add("free", 15);
        assertThat(run(Duration.ZERO)).isEqualTo(new Progress.More(4));
        assertThat(run(Duration.ofMinutes(1))).isEqualTo(new Progress.Done());
        assertThat(names).isEmpty();
    }

    @Test
    void whatCannotBeDeletedIsReportedAtTheEndOfTheList() {
        add("kept", 12);
        add("free", 3);
        assertThatThrownBy(() -> run(Duration.ofMinutes(1)))
                .isInstanceOf(NotEmpty.class)
                .hasMessage("The bucket photos keeps 12: an example");
        assertThat(names).hasSize(12);
    }

    /** Otherwise each call would delete again what the store lists and does not delete, and nothing would be reported. */
    @Test
    void entriesThatAreDeletedAndStillListedBesideOthersThatAreKeptAreReported() {
        add("kept", 1);
        add("stale", 1);
        assertThatThrownBy(() -> run(Duration.ofMinutes(1)))
                .isInstanceOf(NotEmpty.class)
                .hasMessage("The bucket photos keeps 1: an example");
    }

    @Test
    void anEntryThatIsDeletedAfterOthersNeedsAnotherCall() {
        deletedAfterOthers = true;
        add("kept", 12);
        add("free", 3);
        assertThat(run(Duration.ofMinutes(1))).isEqualTo(new Progress.More(3));
        assertThatThrownBy(() -> run(Duration.ZERO))
                .isInstanceOf(NotEmpty.class)
                .hasMessage("The bucket photos keeps 12: an example");
    }

    @Test
    void entriesThatAreDeletedAndStillListedAreReported() {
        add("stale", 3);
        assertThatThrownBy(() -> run(Duration.ofMinutes(1)))
                .isInstanceOf(NotEmpty.class)
                .hasMessage("The bucket photos holds objects or uploads that the store lists and does not delete."
                        + " The first is \"stale0\".");
    }

    @Test
    void anEmptyPageIsNotTheEndOfTheList() {
        add("hidden", 2 * PAGE);
        add("free", 1);
        assertThat(run(Duration.ofMinutes(1))).isEqualTo(new Progress.Done());
        assertThat(names).hasSize(2 * PAGE);
        assertThatThrownBy(() ->
                        new ContentsDeletion(StoreCall.within(Duration.ofSeconds(1)), Duration.ZERO, 4).run(contents))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("The bucket photos");
    }
}

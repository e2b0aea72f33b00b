package io.bucketwright.store;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Deletes one slice of the contents of a bucket: page by page, always the first one that can be deleted. The next call
 * continues without a record of this one. What cannot be deleted stays at the beginning of the list: a call continues behind
 * it, and fails at the end of the list.
 *
 * @param slice how long one call deletes
 * @param batch how many entries of a page are deleted before the next look at the time
 */
public record ContentsDeletion(StoreCall call, Duration slice, int batch) {

    /** The last batch may start just before the end, so a call takes up to two seconds. */
    public static final Duration SLICE = Duration.ofMillis(1_200);

    /** A call that has deleted nothing yet continues until this is left of its time. */
    private static final Duration RESERVE = Duration.ofSeconds(2);

    /**
     * A page of the list. It can be empty although more follow.
     *
     * @param next reads the next page; empty if this page is the last one
     */
    public record Page<E>(List<E> entries, Optional<Supplier<Page<E>>> next) {}

    /**
     * How many entries were deleted.
     *
     * @param kept how many the store does not delete
     * @param example one of these for a message; empty if there are none
     */
    public record Deleted(long removed, long kept, String example) {

        public static final Deleted NONE = new Deleted(0, 0, "");

        public Deleted plus(Deleted more) {
            return new Deleted(removed + more.removed, kept + more.kept, example.isEmpty() ? more.example : example);
        }
    }

    /** The contents of a bucket of a store. */
    public interface Contents<E> {

        /** The first page of the list. */
        Page<E> first();

        Deleted delete(List<E> entries);

        /** The name of an entry. */
        String name(E entry);

        /** Whether an entry that was kept may be deleted once others are, as a directory after its contents. */
        default boolean isDeletedAfterOthers() {
            return false;
        }

        /** The beginning of a sentence, such as "The bucket photos". */
        String holder();

        /** The end of that sentence, if the store does not delete some entries. */
        String reason(Deleted deleted);
    }

    /**
     * Deletes contents until the end of the slice.
     *
     * @throws NotEmpty if everything that is left cannot be deleted
     */
    public <E> Progress run(Contents<E> contents) {
        long end = System.nanoTime() + slice.toNanos();
        Deleted sum = Deleted.NONE;
        Supplier<Page<E>> from = contents::first;
        List<E> last = List.of();
        do {
            Page<E> page = from.get();
            if (!last.isEmpty() && page.entries().equals(last)) {
                throw new NotEmpty(
                        contents.holder() + " holds objects or uploads that the store lists and does not delete."
                                + " The first is " + InputText.quote(contents.name(last.getFirst())) + ".");
            }
            last = page.entries();
            long keptBefore = sum.kept();
            for (int first = 0; first < last.size() && !isOver(end, sum); first += batch) {
                sum = sum.plus(contents.delete(last.subList(first, Math.min(last.size(), first + batch))));
            }
            if (last.isEmpty() || sum.kept() > keptBefore) {
                if (page.next().isEmpty()) {
                    return sum.kept() == 0 ? new Progress.Done() : atEnd(contents, sum);
                }
                from = page.next().get();
            }
        } while (!isOver(end, sum) && (sum.removed() > 0 || hasTime(end)));
        return progress(contents, sum);
    }

    private static boolean isOver(long end, Deleted sum) {
        return sum.removed() > 0 && System.nanoTime() >= end;
    }

    private boolean hasTime(long end) {
        return System.nanoTime() < end || call.remaining().compareTo(RESERVE) > 0;
    }

    /** Everything was tried. Another call helps only if something else had to be deleted first. */
    private static Progress atEnd(Contents<?> contents, Deleted sum) {
        if (contents.isDeletedAfterOthers()) {
            return progress(contents, sum);
        }
        throw notEmpty(contents, sum);
    }

    private static Progress progress(Contents<?> contents, Deleted sum) {
        if (sum.removed() > 0) {
            return new Progress.More(sum.removed());
        }
        throw sum.kept() > 0
                ? notEmpty(contents, sum)
                : new Unavailable(contents.holder() + " has a list that does not end in time.");
    }

    private static NotEmpty notEmpty(Contents<?> contents, Deleted sum) {
        return new NotEmpty(contents.holder() + " " + contents.reason(sum));
    }
}

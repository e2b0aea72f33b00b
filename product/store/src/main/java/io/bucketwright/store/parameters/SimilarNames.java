package io.bucketwright.store.parameters;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Finds the names that somebody may have meant who wrote another one. */
final class SimilarNames {

    /** So many characters may be wrong, missing or added. */
    private static final int MOST_MISTAKES = 3;

    private static final int MOST_NAMES = 3;

    private SimilarNames() {}

    /** The known names that are similar to the given one, the most similar first. */
    static List<String> of(String given, List<String> known) {
        record Candidate(String name, int mistakes) {}
        return known.stream()
                // Names that differ more in length are not similar, and a class can have names of any length.
                .filter(name -> Math.abs(name.length() - given.length()) <= MOST_MISTAKES)
                .map(name -> new Candidate(name, mistakes(lower(given), lower(name))))
                .filter(candidate -> candidate.mistakes() <= MOST_MISTAKES)
                .sorted(Comparator.comparingInt(Candidate::mistakes))
                .limit(MOST_NAMES)
                .map(Candidate::name)
                .toList();
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    /** The edit distance: how many characters must be changed, removed or added. */
    private static int mistakes(String from, String to) {
        int[] previous = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int[] current = new int[to.length() + 1];
            current[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int changed = previous[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(changed, Math.min(previous[j], current[j - 1]) + 1);
            }
            previous = current;
        }
        return previous[to.length()];
    }
}

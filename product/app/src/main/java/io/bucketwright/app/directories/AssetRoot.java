package io.bucketwright.app.directories;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One value of {@code --storage-asset-root}.
 *
 * @param storageClass empty for all classes without their own root
 */
record AssetRoot(String storageClass, Path path) {

    private static final Pattern TEXT = Pattern.compile("(?:([a-z0-9.-]+)=)?(/.+)");

    static AssetRoot parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "--storage-asset-root must be an absolute path or CLASS=PATH, not \"" + text + "\"");
        }
        return new AssetRoot(matcher.group(1) == null ? "" : matcher.group(1), Path.of(matcher.group(2)));
    }
}

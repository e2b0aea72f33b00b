package io.bucketwright.store.s3.client;

import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The least privilege policy of an administrator on AWS, as docs/stores.md shows it. */
public final class AdministratorPolicy {

    /** Where an action applies. */
    private enum Scope {
        ACCOUNT("Account", "*"),
        BUCKETS("Buckets", "arn:aws:s3:::*"),
        OBJECTS("Objects", "arn:aws:s3:::*/*"),
        USERS("Users", "arn:aws:iam::*:user/bw-*"),
        GROUPS("Groups", "arn:aws:iam::*:group/*");

        private final String sid;
        private final String resource;

        Scope(String sid, String resource) {
            this.sid = sid;
            this.resource = resource;
        }

        static Scope of(String action) {
            return switch (action) {
                case "s3:ListAllMyBuckets" -> ACCOUNT;
                case "s3:DeleteObject", "s3:DeleteObjectVersion", "s3:AbortMultipartUpload" -> OBJECTS;
                case "iam:RemoveUserFromGroup" -> GROUPS;
                default -> action.startsWith("iam:") ? USERS : BUCKETS;
            };
        }
    }

    private AdministratorPolicy() {}

    /** The policy that allows operations. */
    public static String policy(Iterable<String> operations) {
        Map<Scope, TreeSet<String>> statements = new TreeMap<>();
        for (String operation : operations) {
            for (String action : AwsPermissions.actions(operation)) {
                statements
                        .computeIfAbsent(Scope.of(action), _ -> new TreeSet<>())
                        .add(action);
            }
        }
        return "{\n  \"Version\": \"2012-10-17\",\n  \"Statement\": [\n"
                + statements.entrySet().stream()
                        .map(statement -> text(statement.getKey(), statement.getValue()))
                        .collect(Collectors.joining(",\n"))
                + "\n  ]\n}\n";
    }

    private static String text(Scope scope, SortedSet<String> actions) {
        return "    {\n      \"Sid\": \"%s\",\n      \"Effect\": \"Allow\",\n      \"Action\": [\n%s\n      ],\n"
                        .formatted(
                                scope.sid,
                                actions.stream()
                                        .map(action -> "        \"" + action + "\"")
                                        .collect(Collectors.joining(",\n")))
                + "      \"Resource\": \"" + scope.resource + "\"\n    }";
    }
}

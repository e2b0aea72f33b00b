package io.bucketwright.bench.measure;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.bench.http.ApiClient;
import io.bucketwright.local.audit.AuditLogReader;
import io.bucketwright.local.audit.AuditedRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/** Counts the requests of users in the audit log, from one call to the next. */
public final class RequestMeter {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(20);

    private final AuditLogReader log;
    private final ApiClient admin;

    public RequestMeter(Path auditLog, ApiClient admin) {
        this.log = new AuditLogReader(auditLog);
        this.admin = admin;
    }

    /** The requests of these users since the last call of any method, all together. */
    public RequestTally tally(Set<String> users) throws InterruptedException {
        RequestTally.Builder tally = new RequestTally.Builder();
        read(users, line -> tally.add(AuditedRequest.parse(line)));
        return tally.build();
    }

    /** The lines of these users since the last call of any method. */
    public List<String> lines(Set<String> users) throws InterruptedException {
        List<String> lines = new ArrayList<>();
        read(users, lines::add);
        return lines;
    }

    /** The log trails the responses: what was answered before a request is in the log before that request. */
    private void read(Set<String> users, Consumer<String> lines) throws InterruptedException {
        String mark = "bench-mark-" + UUID.randomUUID();
        send(mark);
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        boolean[] found = {false};
        while (!found[0]) {
            log.read((user, line) -> {
                if (users.contains(user)) {
                    lines.accept(line);
                } else if (line.contains(mark)) {
                    found[0] = true;
                }
            });
            if (!found[0]) {
                if (System.nanoTime() - deadline > 0) {
                    throw new CommandException(
                            "The audit log of the cluster does not contain a request of this command."
                                    + " Check that its disk is not full.");
                }
                Thread.sleep(POLL);
            }
        }
    }

    private void send(String mark) {
        try {
            // It does not exist: only its line in the log is needed.
            var _ = admin.get("/api/v1/namespaces/default/configmaps/" + mark);
        } catch (IOException e) {
            throw new CommandException("The API server at " + admin + " cannot be reached: " + e.getMessage(), e);
        }
    }
}

package io.bucketwright.runtime.client;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.LeadershipLostException;
import io.bucketwright.runtime.connection.SendCheck;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;

/**
 * Refuses changes while this process does not lead. It is in the HTTP client so that no code path can forget it.
 */
record FenceInterceptor(Leadership leadership) implements Interceptor, SendCheck {

    static final String NAME = "BUCKETWRIGHT-FENCE";

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        Runnable _ = prepare(request);
    }

    @Override
    public Runnable prepare(HttpRequest request) {
        long term = leadership.term();
        require(request, term);
        return () -> require(request, term);
    }

    private void require(HttpRequest request, long term) {
        if (leadership.remainingIn(term).isPositive()) {
            return;
        }
        RequestName name = RequestName.of(request.method(), request.uri());
        if (name.changes()) {
            throw new LeadershipLostException("Not sending " + name.verb() + " "
                    + request.uri().getPath() + ": this process is not the leader; the leader continues");
        }
    }
}

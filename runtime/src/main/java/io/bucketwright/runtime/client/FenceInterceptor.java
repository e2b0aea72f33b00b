package io.bucketwright.runtime.client;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.LeadershipLostException;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;

/**
 * Refuses changes while this process does not lead. It is in the HTTP client so that no code path can forget it.
 */
record FenceInterceptor(Leadership leadership) implements Interceptor {

    static final String NAME = "BUCKETWRIGHT-FENCE";

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        if (leadership.held()) {
            return;
        }
        RequestName name = RequestName.of(request.method(), request.uri());
        if (name.changes()) {
            throw new LeadershipLostException("Not sending " + name.verb() + " "
                    + request.uri().getPath() + ": this process is not the leader; the leader continues");
        }
    }
}

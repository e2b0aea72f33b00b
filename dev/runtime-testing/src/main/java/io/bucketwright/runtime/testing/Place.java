package io.bucketwright.runtime.testing;

import java.util.ArrayList;
import java.util.List;

/** Where an object is: {@code apis/group/version/plural}, namespace, name and subresource, each empty if there is none. */
record Place(String collection, String namespace, String name, String subresource) {

    static Place of(String path) {
        List<String> parts = new ArrayList<>(List.of(path.split("/")));
        int group = parts.getFirst().equals("api") ? 2 : 3;
        String root = String.join("/", parts.subList(0, group));
        List<String> rest = parts.subList(group, parts.size());
        boolean inNamespace = rest.size() > 2 && rest.getFirst().equals("namespaces");
        List<String> own = inNamespace ? rest.subList(2, rest.size()) : rest;
        return new Place(
                root + "/" + own.getFirst(),
                inNamespace ? rest.get(1) : "",
                own.size() > 1 ? own.get(1) : "",
                own.size() > 2 ? own.get(2) : "");
    }

    String key() {
        return namespace + "/" + name;
    }
}

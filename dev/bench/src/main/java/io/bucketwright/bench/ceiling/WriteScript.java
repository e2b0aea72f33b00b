package io.bucketwright.bench.ceiling;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The writes of a controller for one object.
 *
 * @param bind from the creation of the object until it is provisioned
 * @param delete from the deletion of the object until nothing is left
 */
public record WriteScript(List<WriteTemplate> bind, List<WriteTemplate> delete) {

    public WriteScript {
        bind = List.copyOf(bind);
        delete = List.copyOf(delete);
    }

    public void save(Path file) throws IOException {
        new ObjectMapper().writeValue(file.toFile(), this);
    }

    static WriteScript load(Path file) throws IOException {
        return new ObjectMapper().readValue(file.toFile(), WriteScript.class);
    }
}

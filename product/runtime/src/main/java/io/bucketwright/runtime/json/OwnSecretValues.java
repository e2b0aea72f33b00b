package io.bucketwright.runtime.json;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.deser.std.StringDeserializer;
import java.util.Map;

/** For the mapper: the texts of all objects are shared, but a value of a Secret is in memory only as long as its object. */
abstract class OwnSecretValues {

    @JsonDeserialize(contentUsing = StringDeserializer.class)
    abstract void setData(Map<String, String> data);

    @JsonDeserialize(contentUsing = StringDeserializer.class)
    abstract void setStringData(Map<String, String> data);
}

package io.bucketwright.store.s3;

import software.amazon.awssdk.services.s3.model.CORSConfiguration;
import software.amazon.awssdk.services.s3.model.CORSRule;

/** Parses CORS rules in the JSON format of the S3 API: {@code {"CORSRules": [...]}}, or only the list. */
final class CorsJson {

    private CorsJson() {}

    static CORSConfiguration configuration(String text) {
        return CORSConfiguration.builder()
                .corsRules(OptionJson.of("cors", text).rules("CORSRules").stream()
                        .map(CorsJson::rule)
                        .toList())
                .build();
    }

    private static CORSRule rule(OptionJson json) {
        json.only("ID", "AllowedHeaders", "AllowedMethods", "AllowedOrigins", "ExposeHeaders", "MaxAgeSeconds");
        return CORSRule.builder()
                .id(json.text("ID"))
                .allowedHeaders(json.texts("AllowedHeaders"))
                .allowedMethods(json.texts("AllowedMethods"))
                .allowedOrigins(json.texts("AllowedOrigins"))
                .exposeHeaders(json.texts("ExposeHeaders"))
                .maxAgeSeconds(json.number("MaxAgeSeconds"))
                .build();
    }
}

package io.bucketwright.cosi.vendors;

import io.grpc.Status.Code;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** How a stub driver behaves. Without a change it does what the text of the protocol asks for. */
final class VendorBehavior {

    /** How a driver names an account. */
    enum AccountIds {
        /** By the name in the request. */
        NAME,
        /** By a text with the name, which cannot be guessed from the request alone. */
        DERIVED,
        /** By another id for each key. */
        EACH_KEY
    }

    /** Whose keys a driver returns. */
    enum Keys {
        OF_ACCOUNT,
        /** Those of the account; they are valid until the bucket is deleted. */
        UNTIL_BUCKET_DELETED,
        /** The keys of the driver itself, for every account. */
        OF_DRIVER
    }

    UnaryOperator<String> bucketId = name -> name;
    Code secondCreate = Code.OK;
    boolean secondCreateEmpty;
    Pattern names = Pattern.compile(".+", Pattern.DOTALL);

    AccountIds accountIds = AccountIds.NAME;
    SecondGrant secondGrant = SecondGrant.SAME_KEYS;
    Keys keys = Keys.OF_ACCOUNT;
    Code otherAuthentication = Code.OK;

    Code absentDelete = Code.OK;
    Code absentRevoke = Code.OK;
    Code fullDelete = Code.OK;
    Code failure = Code.INTERNAL;

    Map<String, String> bucketParameters = Map.of();
    Map<String, String> accessParameters = Map.of();
    boolean refusesUnknownParameters;
    Set<String> requiredContext = Set.of();
    boolean readsBucketObject;
    boolean readsAccessObject;

    String keyIdName = "accessKeyID";
    boolean endpoint = true;
    boolean region = true;
    boolean bucketNameAsExtraKey;
    boolean azure;

    VendorBehavior bucketId(UnaryOperator<String> ids) {
        bucketId = ids;
        return this;
    }

    VendorBehavior secondCreate(Code code) {
        secondCreate = code;
        return this;
    }

    VendorBehavior secondCreateEmpty() {
        secondCreateEmpty = true;
        return this;
    }

    VendorBehavior names(String pattern) {
        names = Pattern.compile(pattern);
        return this;
    }

    VendorBehavior account(AccountIds ids, SecondGrant second) {
        accountIds = ids;
        secondGrant = second;
        return this;
    }

    VendorBehavior keys(Keys whose) {
        keys = whose;
        return this;
    }

    /** What it answers to a grant that is not of the type Key. */
    VendorBehavior onlyKeys(Code otherwise) {
        otherAuthentication = otherwise;
        return this;
    }

    VendorBehavior absent(Code revoke, Code delete) {
        absentRevoke = revoke;
        absentDelete = delete;
        return this;
    }

    /** What it answers to the deletion of a bucket that is not empty. */
    VendorBehavior fullDelete(Code code) {
        fullDelete = code;
        return this;
    }

    VendorBehavior failure(Code code) {
        failure = code;
        return this;
    }

    /** The parameters that its classes have; it refuses a call without those of the bucket. */
    VendorBehavior parameters(Map<String, String> ofBucket, Map<String, String> ofAccess) {
        bucketParameters = ofBucket;
        accessParameters = ofAccess;
        return this;
    }

    VendorBehavior refusesUnknownParameters() {
        refusesUnknownParameters = true;
        return this;
    }

    /** The keys that it needs in the contexts of Delete and Revoke. */
    VendorBehavior requiredContext(Set<String> keys) {
        requiredContext = keys;
        return this;
    }

    /** It reads the Bucket object that is named like its id before it deletes or revokes. */
    VendorBehavior readsBucketObject() {
        readsBucketObject = true;
        return this;
    }

    /** It looks for the BucketAccess whose uid follows {@code ba-} in the name of the account. */
    VendorBehavior readsAccessObject() {
        readsAccessObject = true;
        return this;
    }

    VendorBehavior keyIdName(String name) {
        keyIdName = name;
        return this;
    }

    VendorBehavior noEndpoint() {
        endpoint = false;
        return this;
    }

    VendorBehavior noRegion() {
        region = false;
        return this;
    }

    VendorBehavior bucketNameAsExtraKey() {
        bucketNameAsExtraKey = true;
        return this;
    }

    VendorBehavior azure() {
        azure = true;
        return this;
    }
}

package io.bucketwright.cosi.sanity;

import io.bucketwright.cosi.driver.CosiDriver;
import io.bucketwright.cosi.proto.AccessMode;
import io.bucketwright.cosi.proto.CosiControllerGrpc.CosiControllerImplBase;
import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.CreateBucketResponse;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.proto.DeleteBucketRequest;
import io.bucketwright.cosi.proto.DeleteBucketResponse;
import io.bucketwright.cosi.proto.DriverInfoRequest;
import io.bucketwright.cosi.proto.DriverInfoResponse;
import io.bucketwright.cosi.proto.GrantBucketAccessRequest;
import io.bucketwright.cosi.proto.GrantBucketAccessResponse;
import io.bucketwright.cosi.proto.RevokeBucketAccessRequest;
import io.bucketwright.cosi.proto.RevokeBucketAccessResponse;
import io.bucketwright.cosi.wire.CosiError;
import io.bucketwright.cosi.wire.ParameterKeys;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A good driver that requires a password if one is sent, and has at most one fault. */
final class BrokenDriver extends CosiControllerImplBase {

    static final String PASSWORD = "right-password";
    private static final String LEGAL = "[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]";

    private final CosiDriver good;
    private final Optional<Fault> fault;
    private final Manners manners;
    private final AtomicInteger infos = new AtomicInteger();
    private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();
    private final Map<String, CreateBucketRequest> created = new ConcurrentHashMap<>();
    private final Set<String> deleted = ConcurrentHashMap.newKeySet();
    private final Set<String> revoked = ConcurrentHashMap.newKeySet();
    private final Set<String> underWay = ConcurrentHashMap.newKeySet();
    private final Map<String, GrantBucketAccessResponse> granted = new ConcurrentHashMap<>();
    private final Map<String, String> keys = new ConcurrentHashMap<>();

    BrokenDriver(CosiDriver good, Optional<Fault> fault) {
        this.good = good;
        this.fault = fault;
        this.manners = new Manners(fault);
    }

    @Override
    public void driverInfo(DriverInfoRequest request, StreamObserver<DriverInfoResponse> answer) {
        manners.answer(answer, Map.of(), () -> {
            DriverInfoResponse.Builder info = Manners.ask(good::driverInfo, request).toBuilder();
            if (is(Fault.ILLEGAL_NAME)) {
                info.setDriverName("bad name!");
            } else if (is(Fault.NO_PROTOCOL)) {
                info.setSupportedProtocol(DataProtocol.PROTOCOL_UNSPECIFIED);
            } else if (is(Fault.CHANGING_INFO) && infos.getAndIncrement() % 2 == 1) {
                info.setSupportedProtocol(DataProtocol.GCS);
            }
            return info.build();
        });
    }

    @Override
    public void createBucket(CreateBucketRequest request, StreamObserver<CreateBucketResponse> answer) {
        manners.answer(answer, request.getSecretsMap(), () -> {
            String name = request.getBucketName();
            boolean fakes = is(Fault.CREATE_TAKES_NO_NAME, name.isEmpty())
                    || is(Fault.CREATE_TAKES_HOSTILE_NAMES, !name.isEmpty() && !name.matches(LEGAL));
            if (fakes) {
                return CreateBucketResponse.getDefaultInstance();
            }
            boolean speaks = is(
                            Fault.CREATE_TAKES_NO_PROTOCOL,
                            request.getRequestProtocol() == DataProtocol.PROTOCOL_UNSPECIFIED)
                    || is(Fault.CREATE_TAKES_OTHER_PROTOCOLS, request.getRequestProtocol() == DataProtocol.GCS);
            CreateBucketRequest asked = speaks
                    ? request.toBuilder().setRequestProtocol(DataProtocol.S3).build()
                    : request;
            if (!is(Fault.CREATE_TAKES_WRONG_CREDENTIALS) && name.matches(LEGAL)) {
                requirePassword(CosiError.CREATE_INVALID_CREDENTIALS, asked.getSecretsMap());
            }
            refuseCreate(asked);
            CreateBucketResponse response =
                    create(withMode(asked).removeSecrets("password").build());
            created.putIfAbsent(name, asked);
            return spoiled(response).build();
        });
    }

    private CreateBucketResponse create(CreateBucketRequest request) {
        if (is(Fault.CREATE_TAKES_WHAT_IS_ANOTHERS) && created.containsKey(request.getBucketName())) {
            return Manners.ask(
                    good::createBucket,
                    request.toBuilder()
                            .putAllDriverParameters(
                                    created.get(request.getBucketName()).getDriverParametersMap())
                            .build());
        }
        if (!is(Fault.CREATE_FAILS_BESIDE_ANOTHER)) {
            return Manners.ask(good::createBucket, request);
        }
        underWay.add(request.getBucketName());
        try {
            Thread.sleep(Duration.ofMillis(50));
            if (underWay.size() > 1) {
                throw CosiError.CREATE_INTERNAL_ERROR.exception("Too much at once.");
            }
            return Manners.ask(good::createBucket, request);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            underWay.remove(request.getBucketName());
        }
    }

    private CreateBucketRequest.Builder withMode(CreateBucketRequest request) {
        CreateBucketRequest.Builder asked = request.toBuilder();
        if (is(Fault.CREDENTIALS_MAKES_EVERYTHING_PUBLIC)) {
            asked.setAccessMode(AccessMode.RW);
        } else if (is(Fault.CREDENTIALS_IGNORES_THE_ANONYMOUS_MODE)) {
            asked.clearAccessMode();
        }
        return asked;
    }

    private void refuseCreate(CreateBucketRequest request) {
        String name = request.getBucketName();
        int times = count("create " + name);
        boolean again = is(Fault.CREATE_IS_NOT_REPEATABLE, times > 1 && !deleted.contains(name))
                || is(Fault.CREATE_FAILS_THE_THIRD_TIME, times > 2)
                || is(Fault.DELETE_KEEPS_THE_NAME, deleted.contains(name));
        if (again) {
            throw CosiError.CREATE_ALREADY_EXISTS.exception("It is there.");
        }
        if (is(Fault.CREATE_FAILS_WITH_MODES) && request.getAccessMode() != AccessMode.MODE_UNSPECIFIED) {
            throw CosiError.CREATE_INTERNAL_ERROR.exception("What is that?");
        }
        if (is(Fault.CREATE_TAKES_SHORT_NAMES_ONLY) && name.length() > 60) {
            throw CosiError.CREATE_INVALID_ARGUMENT.exception("Too long.");
        }
    }

    private CreateBucketResponse.Builder spoiled(CreateBucketResponse response) {
        CreateBucketResponse.Builder spoiled = response.toBuilder();
        var data = spoiled.getBucketBuilder().getProviderContextBuilder().getGenericContextBuilder();
        fault.ifPresent(kind -> {
            switch (kind) {
                case ILLEGAL_NAME -> spoiled.getBucketBuilder().setProvisioner("bad name!");
                case CREATE_ANSWERS_ANOTHER_NAME -> spoiled.getBucketBuilder().setName("another");
                case CREATE_TELLS_NO_ENDPOINT -> data.removeBucketData("BUCKET_ENDPOINT");
                case CREATE_TELLS_A_SECRET -> data.putBucketData("AWS_SECRET_ACCESS_KEY", "oops");
                case CREATE_ANSWERS_OTHERWISE_EACH_TIME ->
                    data.putBucketData("NONCE", UUID.randomUUID().toString());
                default -> {}
            }
        });
        return spoiled;
    }

    @Override
    public void deleteBucket(DeleteBucketRequest request, StreamObserver<DeleteBucketResponse> answer) {
        manners.answer(answer, request.getSecretsMap(), () -> {
            String name = request.getBucketName();
            int times = count("delete " + name);
            boolean nothing = is(
                            Fault.DELETE_DOES_NOTHING,
                            request.getRequestProtocol() == DataProtocol.S3 && created.containsKey(name))
                    || is(Fault.CREDENTIALS_DELETES_NOTHING)
                    || is(Fault.DELETE_TAKES_NO_NAME, name.isEmpty())
                    || is(Fault.DELETE_TAKES_OTHER_PROTOCOLS, request.getRequestProtocol() == DataProtocol.GCS);
            if (nothing) {
                return DeleteBucketResponse.getDefaultInstance();
            }
            boolean fails = is(Fault.DELETE_IS_NOT_REPEATABLE, deleted.contains(name))
                    || is(Fault.DELETE_FAILS_FOR_WHAT_NEVER_WAS, name.matches(LEGAL) && !created.containsKey(name))
                    || is(Fault.DELETE_FAILS_WITH_HOSTILE_NAMES, !name.isEmpty() && !name.matches(LEGAL))
                    || is(Fault.DELETE_FAILS_THE_THIRD_TIME, times > 2);
            if (fails) {
                throw CosiError.DELETE_INTERNAL_ERROR.exception("No.");
            }
            DeleteBucketRequest.Builder asked = request.toBuilder().removeSecrets("password");
            if (is(Fault.DELETE_TAKES_WHAT_IS_ANOTHERS) && created.containsKey(name)) {
                asked.putAllDriverParameters(created.get(name).getDriverParametersMap());
            }
            DeleteBucketResponse response = Manners.ask(good::deleteBucket, asked.build());
            deleted.add(name);
            return response;
        });
    }

    @Override
    public void grantBucketAccess(GrantBucketAccessRequest request, StreamObserver<GrantBucketAccessResponse> answer) {
        manners.answer(answer, request.getSecretsMap(), () -> {
            String name = request.getBucketName();
            String account = request.getPermissionsOrDefault(ParameterKeys.ACCOUNT, "");
            boolean rotates = request.containsPermissions(ParameterKeys.ROTATE_AT);
            boolean legal = account.matches("[A-Za-z0-9-]{1,60}");
            boolean fakes = is(Fault.GRANT_TAKES_WHAT_NEVER_WAS, name.matches(LEGAL) && !created.containsKey(name))
                    || is(Fault.GRANT_TAKES_NO_NAME, name.isEmpty())
                    || is(Fault.GRANT_TAKES_NO_ACCOUNT, account.isEmpty())
                    || is(Fault.GRANT_TAKES_HOSTILE_ACCOUNTS, !account.isEmpty() && !legal)
                    || is(Fault.GRANT_TAKES_OTHER_PROTOCOLS, request.getRequestProtocol() == DataProtocol.GCS);
            if (fakes) {
                return GrantBucketAccessResponse.getDefaultInstance();
            }
            if (is(Fault.GRANT_FAILS_WITH_SERVICE_ACCOUNTS)
                    && request.containsPermissions(ParameterKeys.SERVICE_ACCOUNT)) {
                throw CosiError.GRANT_INTERNAL_ERROR.exception("What is that?");
            }
            if (is(Fault.GRANT_IS_NOT_REPEATABLE)
                    && granted.containsKey(account)
                    && !rotates
                    && !revoked.contains(account)) {
                throw CosiError.GRANT_INVALID_PRINCIPAL.exception("It is there.");
            }
            if (is(Fault.REVOKE_IS_FOR_EVER) && revoked.contains(account)) {
                throw CosiError.GRANT_INVALID_PRINCIPAL.exception("Not again.");
            }
            GrantBucketAccessRequest.Builder asked = request.toBuilder().removeSecrets("password");
            if (is(Fault.CREDENTIALS_IGNORES_THE_ACCESS_MODE)) {
                asked.removePermissions(ParameterKeys.ACCESS_MODE);
            } else if (is(Fault.CREDENTIALS_LETS_KEYS_PILE_UP) && keys.containsKey(account)) {
                asked.putPermissions(ParameterKeys.PUBLISHED_KEYS, keys.get(account));
            }
            GrantBucketAccessResponse response = Manners.ask(good::grantBucketAccess, asked.build());
            keys.put(
                    account,
                    response.getCreds(0).getGenericCredentials().getCredentialsOrDefault("AWS_ACCESS_KEY_ID", ""));
            GrantBucketAccessResponse first =
                    Optional.ofNullable(granted.putIfAbsent(account, response)).orElse(response);
            return spoiled(request, rotates, response, first);
        });
    }

    private GrantBucketAccessResponse spoiled(
            GrantBucketAccessRequest request,
            boolean rotates,
            GrantBucketAccessResponse response,
            GrantBucketAccessResponse first) {
        String bucket = request.getBucketName();
        if (is(Fault.GRANT_ANSWERS_NOTHING)) {
            return GrantBucketAccessResponse.getDefaultInstance();
        }
        if (is(Fault.GRANT_DOES_NOT_ROTATE) && rotates) {
            return first;
        }
        boolean shares = is(Fault.GRANT_SHARES_CREDENTIALS)
                || is(Fault.GRANT_SHARES_FROM_THE_THIRD_ON, count("grant " + bucket) > 2);
        if (shares) {
            return granted.computeIfAbsent("shared " + bucket, _ -> response);
        }
        GrantBucketAccessResponse.Builder spoiled = response.toBuilder();
        var credentials = spoiled.getCredsBuilder(0).getGenericCredentialsBuilder();
        if (is(Fault.GRANT_HANDS_OUT_THE_ADMINISTRATORS)) {
            credentials.putCredentials("KEY", PASSWORD);
        } else if (is(Fault.CREDENTIALS_GRANTS_WHAT_OPENS_NOTHING)) {
            credentials.putCredentials("AWS_SECRET_ACCESS_KEY", "nothing");
        } else if (is(Fault.CREDENTIALS_GRANTS_THE_ADMINISTRATORS_KEYS)) {
            credentials.putAllCredentials(request.getSecretsMap());
        }
        return spoiled.build();
    }

    @Override
    public void revokeBucketAccess(
            RevokeBucketAccessRequest request, StreamObserver<RevokeBucketAccessResponse> answer) {
        manners.answer(answer, request.getSecretsMap(), () -> {
            String name = request.getBucketName();
            String account = request.getPermissionsOrDefault(ParameterKeys.ACCOUNT, "");
            boolean fakes = is(Fault.CREDENTIALS_REVOKES_NOTHING)
                    || is(Fault.REVOKE_TAKES_NO_NAME, name.isEmpty())
                    || is(Fault.REVOKE_TAKES_NO_ACCOUNT, account.isEmpty())
                    || is(Fault.REVOKE_TAKES_OTHER_PROTOCOLS, request.getRequestProtocol() == DataProtocol.GCS);
            if (fakes) {
                return RevokeBucketAccessResponse.getDefaultInstance();
            }
            RevokeBucketAccessResponse response = Manners.ask(
                    good::revokeBucketAccess,
                    request.toBuilder().removeSecrets("password").build());
            int times = count("revoke " + account);
            boolean fails = is(Fault.REVOKE_IS_NOT_REPEATABLE, times > 1)
                    || is(Fault.REVOKE_FAILS_THE_THIRD_TIME, times > 2)
                    || is(Fault.REVOKE_FAILS_FOR_WHOM_NEVER_WAS, !granted.containsKey(account))
                    || is(Fault.REVOKE_FAILS_FOR_DELETED_BUCKETS, deleted.contains(name));
            if (fails) {
                throw CosiError.REVOKE_INTERNAL_ERROR.exception("No.");
            }
            revoked.add(account);
            return is(Fault.REVOKE_ANSWERS_CREDENTIALS) && granted.containsKey(account)
                    ? response.toBuilder()
                            .addAllCreds(granted.get(account).getCredsList())
                            .build()
                    : response;
        });
    }

    private static void requirePassword(CosiError refusal, Map<String, String> secrets) {
        if (!secrets.getOrDefault("password", PASSWORD).equals(PASSWORD)) {
            throw refusal.exception("The password is wrong.");
        }
    }

    private int count(String what) {
        return counts.computeIfAbsent(what, _ -> new AtomicInteger()).incrementAndGet();
    }

    private boolean is(Fault kind, boolean when) {
        return when && is(kind);
    }

    private boolean is(Fault kind) {
        return fault.filter(kind::equals).isPresent();
    }
}

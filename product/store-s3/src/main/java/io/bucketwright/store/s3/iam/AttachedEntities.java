package io.bucketwright.store.s3.iam;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.s3.client.StoreRequest;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import software.amazon.awssdk.services.iam.IamClient;
import software.amazon.awssdk.services.iam.model.AttachedPolicy;
import software.amazon.awssdk.services.iam.model.Group;

/**
 * What others attached to a user, and what IAM demands to be removed before the user: managed policies (AWS attaches one to a
 * user whose key leaked), groups, other inline policies and a password.
 */
record AttachedEntities(IamClient iam, String user) {

    void remove(StoreCall call) {
        each(
                () -> StoreRequest.send(
                                call,
                                "list the managed policies of " + user,
                                () -> iam.listAttachedUserPolicies(request -> request.userName(user)))
                        .attachedPolicies()
                        .stream()
                        .map(AttachedPolicy::policyArn)
                        .toList(),
                arn -> StoreRequest.send(
                        call,
                        "detach the policy " + arn + " from " + user,
                        () -> iam.detachUserPolicy(
                                request -> request.userName(user).policyArn(arn))));
        each(
                () -> StoreRequest.send(
                                call,
                                "list the groups of " + user,
                                () -> iam.listGroupsForUser(request -> request.userName(user)))
                        .groups()
                        .stream()
                        .map(Group::groupName)
                        .toList(),
                group -> StoreRequest.send(
                        call,
                        "remove " + user + " from the group " + group,
                        () -> iam.removeUserFromGroup(
                                request -> request.userName(user).groupName(group))));
        each(
                () -> StoreRequest.send(
                                call,
                                "list the policies of " + user,
                                () -> iam.listUserPolicies(request -> request.userName(user)))
                        .policyNames(),
                policy -> StoreRequest.send(
                        call,
                        "delete the policy " + policy + " of " + user,
                        () -> iam.deleteUserPolicy(
                                request -> request.userName(user).policyName(policy))));
        each(
                () -> List.of(user),
                name -> StoreRequest.send(
                        call,
                        "delete the password of " + name,
                        () -> iam.deleteLoginProfile(request -> request.userName(name))));
    }

    /** A store that does not support a kind of entity has none of it. */
    private static void each(Supplier<List<String>> list, Consumer<String> remove) {
        try {
            list.get().forEach(remove);
        } catch (NotFound | Unsupported none) {
            // Nothing to remove.
        }
    }
}

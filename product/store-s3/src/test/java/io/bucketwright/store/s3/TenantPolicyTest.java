package io.bucketwright.store.s3;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.access.PrincipalName;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.options.OptionJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TenantPolicyTest {

    private static final PrincipalName OWN = new PrincipalName("bw-uid-1");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'Effect':'Allow','Principal':'*','Action':'s3:GetObject','Resource':'arn:aws:s3:::b/*'",
                "'Effect':'Allow','Principal':{'AWS':['*']},'Action':['s3:GetObject','s3:listbucket'],'Resource':'*'",
                "'Effect':'Deny','Principal':{'AWS':'arn:aws:iam::1:user/bw-uid-1'},'Action':'s3:DeleteObject','Resource':'*'",
                "'Effect':'Allow','Principal':{'AWS':'bw-uid-1'},'Action':'s3:PutObject','Resource':'*','Condition':{}"
            })
    void aTenantCanPublishObjectsAndRestrictItself(String statement) {
        assertThatCode(() -> check(statement)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "\"'Effect':'Allow','Principal':{'AWS':'*'},'Action':'s3:*','Resource':'*'\" | s3:*",
                "\"'Effect':'Allow','Principal':'*','Action':['s3:GetObject','s3:PutBucketTagging'],'Resource':'*'\" | PutBucketTagging",
                "\"'Effect':'Allow','Principal':'*','Action':'s3:Get*','Resource':'*'\" | s3:Get*",
                "\"'Effect':'Allow','Principal':'*','Action':'s3:DeleteBucket','Resource':'*'\" | DeleteBucket",
                "\"'Effect':'Allow','Principal':'*','Action':'*','Resource':'*'\" | *",
                "\"'Effect':'Allow','Principal':'*','NotAction':'s3:GetObject','Resource':'*'\" | NotAction",
                "\"'Effect':'Allow','NotPrincipal':'*','Action':'s3:GetObject','Resource':'*'\" | NotPrincipal",
                "\"'Effect':'Allow','Action':'s3:GetObject','Resource':'*'\" | Principal",
                "\"'Effect':'Allow','Principal':{'AWS':'arn:aws:iam::1:user/bw-uid-2'},'Action':'s3:GetObject','Resource':'*'\" | bw-uid-2",
                "\"'Effect':'Allow','Principal':{'Service':'x'},'Action':'s3:GetObject','Resource':'*'\" | Service",
                "\"'Effect':'Deny','Principal':'*','Action':'s3:DeleteObject','Resource':'*'\" | administrator",
                "\"'Effect':'Deny','Principal':{'AWS':['bw-uid-1','*']},'Action':'s3:GetObject','Resource':'*'\" | administrator"
            })
    void aTenantCannotNameAdministratorActionsOrOtherPrincipals(String statement, String word) {
        assertThatThrownBy(() -> check(statement)).isInstanceOf(Invalid.class).hasMessageContaining(word.strip());
    }

    @Test
    void aPolicyWithoutStatementsOrWithOtherFieldsIsRejected() {
        assertThatThrownBy(() -> checkPolicy("{\"Version\":\"2012-10-17\"}")).isInstanceOf(Invalid.class);
        assertThatThrownBy(() -> checkPolicy("{\"Id\":\"x\",\"Statement\":[]}")).isInstanceOf(Invalid.class);
        assertThatThrownBy(() -> checkPolicy("[]")).isInstanceOf(Invalid.class);
    }

    private static void check(String statement) {
        checkPolicy("{\"Statement\":[{" + statement.replace('\'', '"') + "}]}");
    }

    private static void checkPolicy(String policy) {
        TenantPolicy.check(OptionJson.of("policy", policy), OWN);
    }
}

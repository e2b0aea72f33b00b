# An application with the SDK of Google Cloud. It knows only its environment.
import json
import os
import sys

from google.api_core.exceptions import GoogleAPICallError
from google.auth.exceptions import RefreshError
from google.cloud import storage
from google.oauth2 import service_account

key = json.loads(os.environ["GOOGLE_SERVICE_ACCOUNT_JSON"])
client = storage.Client(
    project=os.environ["GOOGLE_CLOUD_PROJECT"],
    credentials=service_account.Credentials.from_service_account_info(key),
    client_options={"api_endpoint": os.environ["BUCKET_ENDPOINT"]},
)
bucket = client.bucket(sys.argv[1])
try:
    bucket.blob("hello").upload_from_string("world", retry=None)
    print("read", bucket.blob("hello").download_as_text(retry=None))
    print("listed", [blob.name for blob in client.list_blobs(bucket, retry=None)])
    bucket.blob("hello").delete(retry=None)
except GoogleAPICallError as e:
    print("refused", e.code)
except RefreshError:
    print("refused 401")

# An application with the SDK of Azure. It knows only its environment.
import os
import sys

from azure.core.exceptions import HttpResponseError
from azure.storage.blob import BlobServiceClient

service = BlobServiceClient.from_connection_string(os.environ["AZURE_STORAGE_CONNECTION_STRING"], retry_total=0)
container = service.get_container_client(sys.argv[1])
try:
    container.upload_blob("hello", b"world", overwrite=True)
    print("read", container.download_blob("hello").readall().decode())
    print("listed", [blob.name for blob in container.list_blobs()])
    container.delete_blob("hello")
except HttpResponseError as e:
    print("refused", e.status_code)

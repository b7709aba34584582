/**
 * End of the 503 message when storms of a provider were never received; a busy service has the same status.
 */
export const stormsNotReceived = "have not been received yet";

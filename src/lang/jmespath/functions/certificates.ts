/** Certificates. */
import { failed } from "../query-error.ts";
import { decodeCertificate } from "../x509/certificate.ts";
import type { DecodedCertificate } from "../x509/certificate.ts";
import type { PemBlock } from "../x509/pem.ts";
import { decodePem } from "../x509/pem.ts";
import { decodeRequest } from "../x509/request.ts";
import type { FunctionDefinition } from "./definition.ts";
import { STRING, textAt } from "./definition.ts";

const x509Decode: FunctionDefinition = {
  name: "x509_decode",
  parameters: [STRING],
  returns: ["object"],
  note: "a certificate or certificate request in PEM, with an RSA key, as an object",
  call: (args, run) => {
    const text = textAt(args, 0);
    run.budget.charge(text.length >> 2);
    const block = decodePem(text);
    if (block === undefined) return failed("failed to decode PEM block");
    const decoded = decodeBlock(block);
    return typeof decoded["error"] === "string" ? failed(decoded["error"]) : decoded;
  },
};

function decodeBlock(block: PemBlock): DecodedCertificate {
  if (block.type === "CERTIFICATE") return decodeCertificate(block.bytes);
  if (block.type === "CERTIFICATE REQUEST") return decodeRequest(block.bytes);
  return { error: "PEM block neither contains a CERTIFICATE or CERTIFICATE REQUEST" };
}

export const certificateFunctions: readonly FunctionDefinition[] = [x509Decode];

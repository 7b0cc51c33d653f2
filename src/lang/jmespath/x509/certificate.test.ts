import { describe, expect, test } from "vitest";
import { decodeBase64Bytes } from "../values/base64.ts";
import { encodeUtf8 } from "../values/utf8.ts";
import { decodeCertificate } from "./certificate.ts";
import { ipText, uriToJson } from "./general-name.ts";
import { decodePem } from "./pem.ts";
import { decodeRequest } from "./request.ts";

/** Made with `openssl req -x509`: every extension that is read, one critical one that is not. */
const full = [
  "MIIDvTCCAyagAwIBAgIBBTANBgkqhkiG9w0BAQ0FADCBhDELMAkGA1UEBhMCREUxEDAOBgNVBAoMB0dhZGdldHMxDzANBgNVBAgM",
  "Bkhlc3NlbjEPMA0GA1UEBwwGS2Fzc2VsMRQwEgYDVQQJDAtIYXVwdHN0ci4gMTEOMAwGA1UEEQwFMzQxMTcxCzAJBgNVBAUTAjc3",
  "MQ4wDAYDVQQDDAVUw6tzdDAgFw0yNjEyMDEwNTI1MThaGA8yMTI2MTEwNzA1MjUxOFowgYQxCzAJBgNVBAYTAkRFMRAwDgYDVQQK",
  "DAdHYWRnZXRzMQ8wDQYDVQQIDAZIZXNzZW4xDzANBgNVBAcMBkthc3NlbDEUMBIGA1UECQwLSGF1cHRzdHIuIDExDjAMBgNVBBEM",
  "BTM0MTE3MQswCQYDVQQFEwI3NzEOMAwGA1UEAwwFVMOrc3QwgZ8wDQYJKoZIhvcNAQEBBQADgY0AMIGJAoGBAJ1ljrEDf7FPOClD",
  "u/XZ1fGoTUR6NcQZH92tMg4qZV6uP0Cv6XGV8fVICvjslyEA1Faf0VgXwWJK3CR7HTq2WzgkPCxINO7Be2E/lzXyfZNmW5vPQ9oy",
  "zMHFdFNSXsvsnIann8GOsE/pWOme4sEVOpsmsoX8AszPOLTBuQy3yoX/AgMBAAGjggE5MIIBNTASBgNVHRMBAf8ECDAGAQH/AgEA",
  "MA8GA1UdDwEB/wQFAwMHDoAwHgYDVR0lBBcwFQYIKwYBBQUHAwEGAyoDBAYEVR0lADAmBgNVHR8EHzAdMBugGaAXhhVodHRwOi8v",
  "Y3JsLnRlc3QvYS5jcmwwTwYIKwYBBQUHAQEEQzBBMBwGCCsGAQUFBzABhhBodHRwOi8vb2NzcC50ZXN0MCEGCCsGAQUFBzAChhVo",
  "dHRwOi8vY2EudGVzdC9jYS5jcnQwEwYDVR0gBAwwCjAIBgZngQwBAgEwLQYDVR0RBCYwJIEIYUBiLnRlc3SHECABDbgAAAAAAAAA",
  "AAAAAAGCBngudGVzdDASBgQqAwQFAQH/BAcMBWhlbGxvMB0GA1UdDgQWBBRWQkydu/4XF5BVIoNII1x0vstRyTANBgkqhkiG9w0B",
  "AQ0FAAOBgQBxxeXlEMt7fRF+utmlvEXbHpWfjaEF2Jq8qNVXjv9/3puqvOJD0dkkH/Cxlfa7TrVrGJxwzC4b8UszNbn24WmN6ycH",
  "Z7E+eWqiVh1kgmQaj4n2MZkbQuq75dU9XX/qvNnoWwLAx7iiedRFryJBjQW6kCOkCg9cEBWXpgXc1RW6JA==",
].join("");

const negative = [
  "MIIB4TCCAUqgAwIBAgIB+zANBgkqhkiG9w0BAQsFADAMMQowCAYDVQQDDAFuMB4XDTI2MTIwMTA1MjUxOFoXDTI2MTIxMDA1MjUx",
  "OFowDDEKMAgGA1UEAwwBbjCBnzANBgkqhkiG9w0BAQEFAAOBjQAwgYkCgYEAnWWOsQN/sU84KUO79dnV8ahNRHo1xBkf3a0yDipl",
  "Xq4/QK/pcZXx9UgK+OyXIQDUVp/RWBfBYkrcJHsdOrZbOCQ8LEg07sF7YT+XNfJ9k2Zbm89D2jLMwcV0U1Jey+ychqefwY6wT+lY",
  "6Z7iwRU6myayhfwCzM84tMG5DLfKhf8CAwEAAaNTMFEwHQYDVR0OBBYEFFZCTJ27/hcXkFUig0gjXHS+y1HJMB8GA1UdIwQYMBaA",
  "FFZCTJ27/hcXkFUig0gjXHS+y1HJMA8GA1UdEwEB/wQFMAMBAf8wDQYJKoZIhvcNAQELBQADgYEAAaRqvWWklFUH2iogSnvcqhOQ",
  "6H+gz71xUsMbRmq1Hf2nDuOMlD96xc+eRERFRz5+xPloDZshGyRVKQVHh6r3r3TF0aowxohP/ZGuxId+VLdcmv8jL1ZHxbsFSffO",
  "vihQ1rLDlu0RNIe7rJTVQ3cVrCBl1PbksKsyhwx+DKpQVIo=",
].join("");

function bytesOf(text: string): Uint8Array {
  const bytes = decodeBase64Bytes(encodeUtf8(text));
  if (typeof bytes === "number") throw new Error("the test's certificate is no base64");
  return bytes;
}

describe("a certificate", () => {
  test("gives what openssl prints of it", () => {
    expect(decodeCertificate(bytesOf(full))).toMatchObject({
      BasicConstraintsValid: true,
      CRLDistributionPoints: ["http://crl.test/a.crl"],
      DNSNames: ["x.test"],
      EmailAddresses: ["a@b.test"],
      ExtKeyUsage: [1, 0],
      IPAddresses: ["2001:db8::1"],
      IsCA: true,
      IssuingCertificateURL: ["http://ca.test/ca.crt"],
      KeyUsage: 16 + 32 + 64 + 256,
      MaxPathLen: 0,
      MaxPathLenZero: true,
      OCSPServer: ["http://ocsp.test"],
      Policies: ["2.23.140.1.2.1"],
      PolicyIdentifiers: [[2, 23, 140, 1, 2, 1]],
      PublicKey: { E: 65537 },
      SerialNumber: 5,
      SignatureAlgorithm: 6,
      UnhandledCriticalExtensions: [[1, 2, 3, 4, 5]],
      UnknownExtKeyUsage: [[1, 2, 3, 4]],
      Subject: {
        CommonName: "Tëst",
        Country: ["DE"],
        Locality: ["Kassel"],
        PostalCode: ["34117"],
        Province: ["Hessen"],
        SerialNumber: "77",
        StreetAddress: ["Hauptstr. 1"],
      },
      Version: 3,
    });
  });

  test("with a negative serial number is refused", () => {
    expect(decodeCertificate(bytesOf(negative))).toEqual({ error: "x509: negative serial number" });
  });

  test("that is cut off or damaged anywhere is an error or a certificate, never a throw", () => {
    const bytes = bytesOf(full);
    let refused = 0;
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Uint8Array.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 0xff;
      for (const decoded of [decodeCertificate(damaged), decodeRequest(damaged)])
        if ("error" in decoded) refused++;
      expect(decodeCertificate(bytes.subarray(0, at))).toHaveProperty("error");
    }
    expect(refused).toBeGreaterThan(bytes.length);
  });
});

describe("PEM", () => {
  test("the first whole block counts", () => {
    const text =
      "-----BEGIN A-----\n!\n-----END A-----\nx\n-----BEGIN B-----\nKey: v\n\nYWI=\n-----END B-----";
    expect(decodePem(text)).toEqual({ type: "B", bytes: encodeUtf8("ab") });
  });

  test.each(["", "-----BEGIN A-----\nYWI=", "-----BEGIN A-----\nYWI=\n-----END B-----"])(
    "%j has none",
    (text) => {
      expect(decodePem(text)).toBeUndefined();
    },
  );
});

test("addresses and URIs", () => {
  expect(ipText(Uint8Array.from([192, 0, 2, 7]))).toBe("192.0.2.7");
  expect(ipText(Uint8Array.from({ length: 16 }, (_, index) => index))).toBe("1:203:405:607:809:a0b:c0d:e0f");
  expect(uriToJson("spiffe://u@h.test:1/a?q#f")).toMatchObject({
    Scheme: "spiffe",
    Host: "h.test:1",
    Path: "/a",
    RawQuery: "q",
    Fragment: "f",
  });
  expect(uriToJson("urn:x:y")).toMatchObject({ Scheme: "urn", Opaque: "x:y", Path: "" });
});

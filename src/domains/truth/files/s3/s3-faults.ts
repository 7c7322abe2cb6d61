import { Fault } from '#kernel/fault/fault.ts';
import { databaseFaults } from '#kernel/storage/database-faults.ts';
import { truthFaults } from '../../truth-faults.ts';

interface ServiceError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

const regionAdvice = 'check s3Region and s3Endpoint';

const advices: Readonly<Record<string, string>> = {
  NoSuchBucket: 'the bucket does not exist: check s3Bucket',
  InvalidBucketName: 'check s3Bucket',
  InvalidAccessKeyId: 'check s3AccessKeyId',
  SignatureDoesNotMatch: 'check s3SecretKey or s3SecretKeyFile',
  AccessDenied: 'the access key needs s3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket',
  PermanentRedirect: regionAdvice,
  AuthorizationHeaderMalformed: regionAdvice,
  RequestTimeTooSkewed: 'set the clock of this machine',
};

const toServiceError = (error: unknown): ServiceError => error ?? {};

/** Errors carry the request with its signature, and any text of the service: only a plain code is shown. */
function codeOf(error: unknown): string {
  const { name, code, $metadata } = toServiceError(error);
  const plain = [code, name].find((text) => typeof text === 'string' && /^[A-Za-z0-9_]{1,64}$/.test(text));
  const status = $metadata?.httpStatusCode;
  return typeof plain === 'string' && plain !== 'Error' && plain !== 'Unknown'
    ? plain
    : `status ${status ?? 'unknown'}`;
}

/** A missing object, not a missing bucket. */
export const isMissingObject = (error: unknown): boolean => toServiceError(error).name === 'NoSuchKey';

export const hasAnswered = (error: unknown): boolean => toServiceError(error).$metadata?.httpStatusCode !== undefined;

/** The service does not answer, or not now. */
export function isOutage(error: unknown): boolean {
  const status = toServiceError(error).$metadata?.httpStatusCode;
  return status === undefined || status >= 500 || status === 429;
}

export function toS3Fault(error: unknown, host: string, effect: 'read' | 'write'): Fault {
  if (error instanceof Fault) return error;
  const code = codeOf(error);
  if (isOutage(error))
    return databaseFaults.SERVICE_UNAVAILABLE({ why: `The file storage at ${host} does not answer (${code})` });
  const advice = Object.hasOwn(advices, code) ? `: ${advices[code]}` : '';
  const why = `the file storage at ${host} refused the request (${code})${advice}`;
  return effect === 'write'
    ? truthFaults.UPLOAD_FAILED({ why })
    : databaseFaults.SERVICE_UNAVAILABLE({ why: `${why[0]!.toUpperCase()}${why.slice(1)}` });
}

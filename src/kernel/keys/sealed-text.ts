import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { faults } from '../fault/kernel-faults.ts';

/** Encrypts secrets that are kept in the store, such as access tokens. */
export interface SealedText {
  /** `owner` names the row; a sealed text that was copied to another row does not open there. */
  seal(text: string, owner: string): string;
  /** Throws INTEGRITY_ERROR if the text was changed, or sealed with another key or for another owner. */
  open(sealed: string, owner: string): string;
}

const algorithm = 'aes-256-gcm';
const version = 'v1';
const nonceBytes = 12;
const tagBytes = 16;

export const createSealedText = (key: Buffer): SealedText => ({
  seal(text, owner) {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(owner));
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return `${version}.${Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url')}`;
  },
  open(sealed, owner) {
    const [found, text = ''] = sealed.split('.');
    const bytes = Buffer.from(text, 'base64url');
    try {
      if (found !== version) throw new Error(`unknown version ${found}`);
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
        .setAAD(Buffer.from(owner))
        .setAuthTag(bytes.subarray(-tagBytes));
      const body = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
      return Buffer.concat([body, decipher.final()]).toString('utf8');
    } catch {
      throw faults.INTEGRITY_ERROR({ why: 'a stored secret cannot be decrypted: the key file is another one' });
    }
  },
});

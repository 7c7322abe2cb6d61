import type { CriteriaFile } from './criteria.ts';

/** All patterns run in linear time. */
export const defaultCriteria: CriteriaFile = {
  version: '1',
  categories: [
    {
      id: 'security',
      rules: [
        {
          id: 'no-secrets',
          pattern: [
            '\\bA(?:KIA|SIA)[0-9A-Z]{16}\\b',
            '\\bgh[opsur]_[A-Za-z0-9]{36}',
            '\\bgithub_pat_[A-Za-z0-9_]{22}',
            '\\bxox[abprs]-[A-Za-z0-9-]{10}',
            '\\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{20}',
            '\\bAIza[0-9A-Za-z_-]{35}',
            '\\bsk_live_[0-9A-Za-z]{16}',
            '\\beyJ[A-Za-z0-9_.-]{30}',
            '-----BEGIN (?:[A-Z]{2,10} ){0,2}PRIVATE KEY',
          ].join('|'),
          flags: '',
          severity: 'critical',
          description: 'Potential embedded secret',
          remediation: 'Remove the secret, revoke it where it was issued, and name the place it is kept instead.',
          mask: true,
        },
        {
          id: 'no-credential-assignment',
          pattern:
            '\\b(?:password|passwd|pwd|secret|api[_-]?key|access[_-]?token|auth[_-]?token)["\']?\\s{0,5}[:=]\\s{0,5}["\']?[^\\s"\'<>{}$]{8}',
          severity: 'high',
          description: 'A password or key seems to be written out',
          remediation: 'Put a placeholder such as <API_KEY> there and say where the value comes from.',
          mask: true,
        },
        {
          id: 'no-url-credentials',
          pattern: '\\b[a-z][a-z0-9+.-]{1,15}://[^\\s/:@]{1,64}:[^\\s/@]{1,64}@',
          severity: 'high',
          description: 'An address carries a name and a password',
          remediation: 'Leave the credentials out of the address.',
          mask: true,
        },
      ],
    },
    {
      id: 'privacy',
      rules: [
        {
          id: 'no-card-numbers',
          pattern: '\\b(?:\\d{4}[ -]?){3}\\d{4}\\b',
          severity: 'high',
          description: 'A number that looks like a payment card',
          remediation: 'Remove it, or use a documented test number by name.',
          mask: true,
        },
        {
          id: 'no-email-addresses',
          pattern: '\\b[a-z0-9._%+-]{1,64}@[a-z0-9-]{1,63}(?:\\.[a-z0-9-]{1,63}){1,4}\\b',
          severity: 'medium',
          description: 'An e-mail address of a person may be in the text',
          remediation: 'Name a role or a team in its place.',
          mask: true,
        },
      ],
    },
    {
      id: 'safety',
      rules: [
        {
          id: 'no-instruction-override',
          pattern:
            '\\b(?:ignore|disregard|forget|override) (?:all |any |the |your ){0,3}(?:previous|prior|above|earlier|system) (?:instructions|prompts?|rules|messages?)',
          severity: 'high',
          description: 'Asks to set other instructions aside',
          remediation: 'Say what is to be done; precedence between instructions is the catalog’s business.',
        },
        {
          id: 'no-destructive-commands',
          pattern:
            '\\brm -(?:rf|fr) (?:/|~|\\*)|\\bdrop (?:table|database)\\b|\\bgit push (?:--force|-f)\\b|\\bmkfs\\.|\\bdd if=',
          severity: 'high',
          description: 'A command that destroys data stands in the text',
          remediation: 'Limit the command to a named place and ask for confirmation before it.',
        },
        {
          id: 'no-disabled-checks',
          pattern:
            '--no-verify\\b|\\bverify\\s{0,3}=\\s{0,3}false\\b|\\bNODE_TLS_REJECT_UNAUTHORIZED\\b|\\b(?:skip|disable|turn off) (?:the )?(?:security|tls|ssl|certificate) (?:checks?|verification|validation)',
          severity: 'medium',
          description: 'Switches a security check off',
          remediation: 'Keep the check on; say what to do when it fails.',
        },
      ],
    },
    {
      id: 'clarity',
      rules: [
        {
          id: 'no-placeholders',
          pattern: '\\b(?:TODO|TBD|FIXME|XXX)\\b|lorem ipsum',
          flags: '',
          severity: 'warn',
          description: 'Something is still to be written',
          remediation: 'Write it, or take the sentence out.',
        },
        {
          id: 'no-vague-words',
          pattern: '\\b(?:as appropriate|and so on|if possible|as needed|etc\\.)',
          severity: 'info',
          description: 'Leaves open what is meant',
          remediation: 'Say when it applies and what exactly is to be done.',
        },
      ],
    },
  ],
};

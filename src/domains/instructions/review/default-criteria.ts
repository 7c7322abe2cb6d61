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
            // Keys of Azure storage accounts, and of service bus and event hubs.
            '[Aa]ccountKey["\']?\\s{0,3}[:=]\\s{0,3}["\']?[A-Za-z0-9+/]{86}==',
            'SharedAccessKey=[A-Za-z0-9+/]{43}=',
            // A password in a URL; placeholders such as ${PASSWORD}, <password> and *** are not.
            '\\b[A-Za-z][A-Za-z0-9+.-]{1,15}://[^\\s/:@?#]{0,64}:[^\\s/@?#<{[$%*.][^\\s/@?#]{0,127}@',
          ].join('|'),
          flags: '',
          severity: 'critical',
          description: 'Potential embedded secret',
          remediation: 'Remove the secret, revoke it, and say where it is stored instead.',
          mask: true,
        },
        {
          id: 'no-credential-assignment',
          pattern:
            '\\b(?:password|passwd|pwd|secret|api[_-]?key|access[_-]?token|auth[_-]?token)["\']?\\s{0,5}[:=]\\s{0,5}["\']?[^\\s"\'<>{}$]{8}',
          severity: 'high',
          description: 'Appears to contain a password or key',
          remediation: 'Use a placeholder such as <API_KEY> and say where the value comes from.',
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
          description: 'Contains a number that looks like a payment card',
          remediation: 'Remove it, or use a documented test number by name.',
          mask: true,
        },
        {
          id: 'no-email-addresses',
          pattern: '\\b[a-z0-9._%+-]{1,64}@[a-z0-9-]{1,63}(?:\\.[a-z0-9-]{1,63}){1,4}\\b',
          severity: 'medium',
          description: 'May contain the e-mail address of a person',
          remediation: 'Name a role or a team instead.',
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
          description: 'Asks to ignore other instructions',
          remediation: 'Say what to do; the catalog decides which instruction takes precedence.',
        },
        {
          id: 'no-destructive-commands',
          pattern:
            '\\brm -(?:rf|fr) (?:/|~|\\*)|\\bdrop (?:table|database)\\b|\\bgit push (?:--force|-f)\\b|\\bmkfs\\.|\\bdd if=',
          severity: 'high',
          description: 'Contains a command that destroys data',
          remediation: 'Limit the command to a named path and ask for confirmation first.',
        },
        {
          id: 'no-disabled-checks',
          pattern:
            '--no-verify\\b|\\bverify\\s{0,3}=\\s{0,3}false\\b|\\bNODE_TLS_REJECT_UNAUTHORIZED\\b|\\b(?:skip|disable|turn off) (?:the )?(?:security|tls|ssl|certificate) (?:checks?|verification|validation)',
          severity: 'medium',
          description: 'Disables a security check',
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
          description: 'Contains a placeholder',
          remediation: 'Complete the text or remove the placeholder.',
        },
        {
          id: 'no-vague-words',
          pattern: '\\b(?:as appropriate|and so on|if possible|as needed|etc\\.)',
          severity: 'info',
          description: 'Vague wording',
          remediation: 'Say exactly when it applies and what to do.',
        },
      ],
    },
  ],
};

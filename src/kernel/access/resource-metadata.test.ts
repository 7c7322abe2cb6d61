import { expect, test } from 'vitest';
import { metadataUrl, toChallenge, toResourceMetadata } from './resource-metadata.ts';

const settings = {
  issuer: 'https://login.example.com',
  audience: 'https://memory.example.com/mcp',
  tenantClaim: 'org',
  scopeClaim: 'scope',
};

test('names the resource, its token issuer and its scopes', () => {
  expect(toResourceMetadata(settings, 'http://127.0.0.1:8787')).toEqual({
    resource: 'http://127.0.0.1:8787/mcp',
    authorization_servers: ['https://login.example.com'],
    scopes_supported: ['read', 'write', 'admin'],
    bearer_methods_supported: ['header'],
    resource_name: 'Fourfold',
  });
});

test('uses the public URL from the settings in metadata and challenge', () => {
  const behindProxy = { ...settings, resource: 'https://memory.example.com/team/mcp', scopePrefix: 'ff:' };
  expect(toResourceMetadata(behindProxy, 'http://x')).toMatchObject({
    resource: 'https://memory.example.com/team/mcp',
    scopes_supported: ['ff:read', 'ff:write', 'ff:admin'],
  });
  expect(metadataUrl(behindProxy, 'http://x')).toBe(
    'https://memory.example.com/.well-known/oauth-protected-resource/team/mcp',
  );
  expect(metadataUrl({ ...settings, resource: 'https://memory.example.com' }, 'http://x')).toBe(
    'https://memory.example.com/.well-known/oauth-protected-resource',
  );
});

test('reports no error in a challenge without a credential, and escapes its values', () => {
  expect(toChallenge(undefined, 'http://h')).toBe('Bearer realm="fourfold"');
  expect(toChallenge(settings, 'http://h', { code: 'insufficient_scope', message: 'a"b\r\nc\\' })).toBe(
    'Bearer realm="fourfold", error="insufficient_scope", error_description="abc", scope="read", ' +
      'resource_metadata="http://h/.well-known/oauth-protected-resource/mcp"',
  );
});

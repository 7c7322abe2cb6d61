import { describe, expect, it } from 'vitest';
import { createAddressRules } from './addresses.ts';

describe('addresses', () => {
  const { isAllowed } = createAddressRules([]);

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:8.8.8.8',
    '::ffff:127.0.0.1',
    '::127.0.0.1',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:2::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '4000::1',
    'localhost',
    '',
    '127.0.0.1.example',
    '1.2.3',
  ])('rejects %s', (address) => {
    expect(isAllowed(address)).toBe(false);
  });

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.1',
    '169.253.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '192.167.0.1',
    '192.169.0.1',
    '198.17.0.1',
    '198.20.0.1',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2001:4860:4860::8888',
    '2a00::1',
    '3ffe::1',
  ])('allows %s', (address) => {
    expect(isAllowed(address)).toBe(true);
  });

  it('are allowed by the list: one address or a network of either family, and nothing else', () => {
    const rules = createAddressRules(['10.1.0.0/16', '192.168.7.7', 'fd00::/8', '::1']);
    const open = ['10.1.2.3', '192.168.7.7', 'fd12::1', '::1'].map(rules.isAllowed);
    const closed = ['10.2.0.1', '192.168.7.8', 'fc00::1', '::2', '127.0.0.1'].map(rules.isAllowed);
    expect([...open, ...closed]).toEqual([true, true, true, true, false, false, false, false, false]);
  });

  it.each(['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/-1', '::1/129', '10.0.0.0/x'])(
    'rejects an allow list with %s',
    (entry) => {
      expect(() => createAddressRules([entry])).toThrow(/is no network/);
    },
  );
});

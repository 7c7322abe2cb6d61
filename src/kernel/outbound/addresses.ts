import { BlockList, isIP } from 'node:net';
import { faults } from '../fault/kernel-faults.ts';

type Subnet = readonly [address: string, bits: number];

/** Every IPv4 range that is not a host on the public network (RFC 6890 and its registry). */
const closedV4: readonly Subnet[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local; clouds serve the machine's credentials on 169.254.169.254.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/**
 * IPv6 is closed except for global unicast. Addresses that embed an IPv4 address (mapped, NAT64, 6to4, Teredo) stay
 * closed.
 */
const openV6: Subnet = ['2000::', 3];
const closedV6: readonly Subnet[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

export interface AddressRules {
  isAllowed(address: string): boolean;
  /** The allow list names the host: its addresses are not checked. */
  isAllowedHost(host: string): boolean;
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

export const isLoopback = (address: string): boolean => loopback.check(address, familyOf(address));

function addSubnet(list: BlockList, entry: string): void {
  const [address = '', bits] = entry.split('/');
  const family = familyOf(address);
  const most = family === 'ipv4' ? 32 : 128;
  const width = bits === undefined ? most : Number(bits);
  if (!Number.isInteger(width) || width < 0 || width > most || bits === '') {
    throw faults.CONFIG_ERROR({ why: `outboundAllow: ${entry} is not a network` });
  }
  list.addSubnet(address, width, family);
}

/** `allow` holds host names, addresses and networks such as 10.1.0.0/16. */
export function createAddressRules(allow: readonly string[]): AddressRules {
  const closed = new BlockList();
  for (const [address, bits] of closedV4) closed.addSubnet(address, bits, 'ipv4');
  for (const [address, bits] of closedV6) closed.addSubnet(address, bits, 'ipv6');
  const open = new BlockList();
  open.addSubnet(...openV6, 'ipv6');
  const allowed = new BlockList();
  const hosts = new Set<string>();
  for (const entry of allow) {
    if (isIP(entry.split('/')[0] ?? '') === 0) hosts.add(entry.toLowerCase());
    else addSubnet(allowed, entry);
  }

  return {
    isAllowedHost: (host) => hosts.has(host.toLowerCase()),
    isAllowed(address) {
      if (isIP(address) === 0) return false;
      const family = familyOf(address);
      if (allowed.check(address, family)) return true;
      return family === 'ipv4'
        ? !closed.check(address, 'ipv4')
        : open.check(address, 'ipv6') && !closed.check(address, 'ipv6');
    },
  };
}

import { createPrivateKey, generateKeyPairSync, sign, X509Certificate } from 'node:crypto'

// Node reads certificates and makes none; these few structures are all that one needs
// (RFC 5280, in DER).

/** A key and a certificate that it signed itself, as PEM. */
export interface SelfSigned {
  key: string
  cert: string
}

interface Wanted {
  /** The IPv4 address that it is for. */
  address: string
  from?: Date
  until?: Date
}

const day = 86_400_000

export function selfSigned({
  address,
  from = new Date(Date.now() - day),
  until = new Date(Date.now() + day),
}: Wanted): SelfSigned {
  const keys = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from('Kontor tests')))))
  const algorithm = sequence(oid('2a8648ce3d040302')) // ecdsa-with-SHA256
  const alternative = sequence(der(0x87, Buffer.from(address.split('.').map(Number))))
  const body = sequence(
    der(0xa0, integer(2)), // version 3
    integer(1),
    algorithm,
    name,
    sequence(time(from), time(until)),
    name,
    keys.publicKey,
    der(0xa3, sequence(sequence(oid('551d11'), der(0x04, alternative)))), // subjectAltName
  )
  const signature = sign('sha256', body, createPrivateKey(keys.privateKey))
  const whole = sequence(body, algorithm, der(0x03, Buffer.of(0), signature))
  return { key: keys.privateKey, cert: new X509Certificate(whole).toString() }
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const size = content.length
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.of(tag, ...length), content])
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const integer = (value: number) => der(0x02, Buffer.of(value))
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
/** UTCTime: YYMMDDHHMMSSZ. */
const time = (at: Date) => der(0x17, Buffer.from(`${at.toISOString().slice(2, 19).replace(/\D/g, '')}Z`))

// The other end of the stand-in: answers requests as the kernel would, and runs submits on a simulated GPU over the same memory.

import { execFileSync } from 'node:child_process';
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { coreInfo, coreNamed } from '../../../hwdb/core-info.ts';
import type { CoreRow } from '../../../hwdb/cores.table.ts';
import { SimulatedGpu } from '../../../sim/gpu.ts';
import { pageBytes } from '../../address-space.ts';
import { ERRNO } from '../libc.ts';
import { IOCTLS, type IoctlName, PARAMS, type ParamName } from '../uapi.table.ts';
import { decodeStruct, encodeStruct, ioctlRequest, layoutOf, type Values } from '../uapi.ts';
import { type KernelSubmit, SOFTPIN_START, submitFault } from './validate-submit.ts';

export interface FakeNode {
  readonly driver: string;
  /** Names of the cores, by their numbers; the simulated one is the last. */
  readonly cores: readonly string[];
  readonly openErrno?: number;
  readonly memoryBytes?: number;
}

/** A stream that begins with this NOP never ends. */
export const HANG_WORD = 0x1800dead;
/** For one that begins with this there is no memory. */
export const NO_MEMORY_WORD = 0x1800f011;

/** Where the old MMU's kernel puts buffers; not where the program thinks that they are. */
const FIRST_ADDRESS = 0x90000000;

interface FakeBuffer {
  readonly handle: number;
  readonly file: string;
  readonly fd: number;
  readonly inode: bigint;
  readonly sizeBytes: number;
  /** In the simulator's memory. */
  readonly address: number;
  gpuAddress: number | null;
}

export class FakeKernel {
  readonly folder = mkdtempSync(join(tmpdir(), 'indium-kernel-'));
  /** What programs did wrong; empty at the end of a good test. */
  readonly faults: string[] = [];
  readonly counts: Partial<Record<IoctlName | 'open', number>> = {};
  readonly #server: Server;
  readonly #nodes: Readonly<Record<string, FakeNode>>;
  readonly #clients = new Set<Client>();

  /** Compiles the stand-in. Throws when there is no C compiler. */
  constructor(nodes: Readonly<Record<string, FakeNode>>) {
    this.#nodes = nodes;
    mkdirSync(join(this.folder, 'dri'));
    for (const name of Object.keys(nodes)) writeFileSync(join(this.folder, 'dri', name), '');
    const source = new URL('./device.c', import.meta.url).pathname;
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', join(this.folder, 'device.so'), source, '-ldl']);
    this.#server = createServer((socket) => this.#clients.add(new Client(this, socket)));
  }

  /** The environment of a program that shall see this kernel's devices. */
  get environment(): Record<string, string> {
    return { LD_PRELOAD: join(this.folder, 'device.so'), INDIUM_STANDIN: this.folder };
  }

  start(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(join(this.folder, 'socket'), resolve));
  }

  node(path: string): FakeNode | undefined {
    return this.#nodes[path.split('/').at(-1)!];
  }

  count(what: IoctlName | 'open'): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  stop(): void {
    for (const client of this.#clients) client.destroy();
    this.#server.close();
    rmSync(this.folder, { recursive: true });
  }
}

class RequestError extends Error {
  readonly errno: number;

  constructor(errno: number, message = '') {
    super(message);
    this.errno = errno;
  }
}

const REQUESTS = new Map<number, IoctlName>(
  (Object.keys(IOCTLS) as IoctlName[]).map((name) => [ioctlRequest(name), name]),
);

const LIMIT_OF: Partial<Record<ParamName, keyof CoreRow['limits']>> = {
  GPU_STREAM_COUNT: 'streams',
  GPU_REGISTER_MAX: 'registers',
  GPU_THREAD_COUNT: 'threads',
  GPU_VERTEX_CACHE_SIZE: 'vertexCache',
  GPU_SHADER_CORE_COUNT: 'shaderCores',
  GPU_PIXEL_PIPES: 'pixelPipes',
  GPU_VERTEX_OUTPUT_BUFFER_SIZE: 'vertexOutputBuffer',
  GPU_INSTRUCTION_COUNT: 'instructions',
  GPU_NUM_CONSTANTS: 'constants',
  GPU_NUM_VARYINGS: 'varyings',
};

/** One open descriptor: its handles, and a GPU that knows only its buffers. */
class Client {
  readonly #kernel: FakeKernel;
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #node: FakeNode | null = null;
  #gpu: SimulatedGpu | null = null;
  #hasAddressSpaces = false;
  readonly #buffers = new Map<number, FakeBuffer>();
  #usedBytes = 0;
  #nextHandle = 1;
  #nextAddress = FIRST_ADDRESS;
  #fence = 0;
  #isHung = false;

  constructor(kernel: FakeKernel, socket: Socket) {
    this.#kernel = kernel;
    this.#socket = socket;
    socket.on('data', (bytes) => this.#receive(bytes as Buffer));
    socket.on('close', () => this.destroy());
    socket.on('error', () => this.destroy());
  }

  #receive(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    while (this.#received.length >= 8) {
      const length = this.#received.readUInt32LE(4);
      if (this.#received.length < 8 + length) return;
      const operation = this.#received.readUInt32LE(0);
      const payload = this.#received.subarray(8, 8 + length);
      this.#received = this.#received.subarray(8 + length);
      let errno = 0;
      let answer: Uint8Array = new Uint8Array(0);
      try {
        answer = operation === 1 ? this.#open(payload.toString()) : this.#request(payload);
      } catch (error) {
        if (!(error instanceof RequestError)) this.#kernel.faults.push(String((error as Error).stack));
        else if (error.message !== '') this.#kernel.faults.push(error.message);
        errno = error instanceof RequestError ? error.errno : ERRNO.EFAULT;
      }
      const head = Buffer.alloc(8);
      head.writeUInt32LE(errno, 0);
      head.writeUInt32LE(answer.length, 4);
      this.#socket.write(Buffer.concat([head, answer]));
    }
  }

  #open(path: string): Uint8Array {
    this.#kernel.count('open');
    const node = this.#kernel.node(path);
    if (!node) throw new RequestError(ERRNO.ENOENT);
    if (node.openErrno !== undefined) throw new RequestError(node.openErrno);
    this.#node = node;
    const name = node.cores.at(-1);
    if (name !== undefined) {
      const core = coreInfo(coreNamed(name)!);
      this.#gpu = new SimulatedGpu(core);
      this.#hasAddressSpaces = core.features.has('MMU_VERSION');
    }
    return new Uint8Array(0);
  }

  #request(payload: Buffer): Uint8Array {
    const name = REQUESTS.get(payload.readUInt32LE(0));
    if (!name) throw new RequestError(ERRNO.EINVAL, `no request 0x${payload.readUInt32LE(0).toString(16)}`);
    this.#kernel.count(name);
    if (name === 'version') return Buffer.from(this.#node!.driver);
    const bytes = Uint8Array.from(payload.subarray(4));
    const view = new DataView(bytes.buffer);
    const { struct } = IOCTLS[name];
    const size = layoutOf(struct).sizeBytes;
    const values = decodeStruct(struct, view);
    const number = (field: string) => Number(values[field]);
    if (name === 'primeExport') return Buffer.from(this.#buffer(number('handle')).file);
    const results: Values = (() => {
      switch (name) {
        case 'getParam':
          return { value: this.#param(number('pipe'), PARAMS[number('param') - 1]) };
        case 'gemNew':
          return { handle: this.#newBuffer(number('size')).handle };
        case 'gemInfo':
          return { offset: this.#offsetOf(this.#buffer(number('handle')).handle) };
        case 'gemClose':
          this.#close(number('handle'));
          return {};
        case 'gemCpuPrep':
          this.#wait(number('timeout.tv_sec'), number('timeout.tv_nsec'));
          this.#buffer(number('handle'));
          return {};
        case 'gemCpuFini':
          this.#buffer(number('handle'));
          return {};
        case 'waitFence':
          if (number('fence') > this.#fence) throw new RequestError(ERRNO.EINVAL, `no fence ${number('fence')}`);
          if (number('flags') === 0) this.#wait(number('timeout.tv_sec'), number('timeout.tv_nsec'));
          else if (this.#isHung) throw new RequestError(ERRNO.EBUSY);
          return {};
        case 'primeImport':
          return { handle: this.#import(view.getBigUint64(size, true)) };
        case 'gemSubmit':
          return { fence: this.#submit(values, view, size) };
        default:
          throw new RequestError(ERRNO.EINVAL, `request ${name} is not expected`);
      }
    })();
    encodeStruct(struct, { ...values, ...results }, view);
    return bytes.subarray(0, size);
  }

  /** A hung GPU keeps nobody waiting here: the time counts as over. */
  #wait(seconds: number, nanoseconds: number): void {
    const left = seconds + nanoseconds / 1e9 - Number(process.hrtime.bigint()) / 1e9;
    if (nanoseconds >= 1e9 || left < -60 || left > 3600)
      throw new RequestError(ERRNO.EINVAL, `a wait of ${left} seconds`);
    if (this.#isHung) throw new RequestError(ERRNO.ETIMEDOUT);
  }

  #param(pipe: number, name: ParamName | undefined): number | bigint {
    const core = this.#node!.cores[pipe];
    if (core === undefined) throw new RequestError(ERRNO.ENXIO);
    const row = coreNamed(core)!;
    if (name === undefined) throw new RequestError(ERRNO.EINVAL, 'no such parameter');
    const word = /^GPU_FEATURES_(\d+)$/.exec(name);
    if (word) return row.featureWords[Number(word[1])] ?? 0;
    const limit = LIMIT_OF[name];
    if (limit) return row.limits[limit];
    switch (name) {
      case 'GPU_MODEL':
        return row.model;
      case 'GPU_REVISION':
        return row.revision;
      case 'GPU_PRODUCT_ID':
        return row.productId ?? 0;
      case 'GPU_CUSTOMER_ID':
        return row.customerId ?? 0;
      case 'GPU_ECO_ID':
        return row.ecoId ?? 0;
      case 'SOFTPIN_START_ADDR':
        return this.#hasAddressSpaces ? SOFTPIN_START : 0xffffffffffffffffn;
      default:
        return 0;
    }
  }

  #buffer(handle: number): FakeBuffer {
    const buffer = this.#buffers.get(handle);
    if (!buffer) throw new RequestError(ERRNO.ENOENT, `handle ${handle} is not of this descriptor`);
    return buffer;
  }

  /** Beyond 32 bits, as on a kernel with many buffers. */
  #offsetOf(handle: number): bigint {
    return (BigInt(handle) << 32n) | 0x1000n;
  }

  #newBuffer(sizeBytes: number): FakeBuffer {
    if (this.#usedBytes + sizeBytes > (this.#node!.memoryBytes ?? 1 << 29)) throw new RequestError(ERRNO.ENOMEM);
    const handle = this.#nextHandle++;
    const file = `bo-${this.#offsetOf(handle).toString(16)}`;
    const path = join(this.#kernel.folder, file);
    const fd = openSync(path, 'w+');
    ftruncateSync(fd, sizeBytes);
    const { ino: inode } = statSync(path, { bigint: true });
    const address = this.#gpu!.memory.allocate(pageBytes(sizeBytes));
    const buffer = { handle, file, fd, inode, sizeBytes, address, gpuAddress: null };
    this.#buffers.set(handle, buffer);
    this.#usedBytes += sizeBytes;
    return buffer;
  }

  #close(handle: number): void {
    const buffer = this.#buffer(handle);
    this.#buffers.delete(handle);
    this.#usedBytes -= buffer.sizeBytes;
    this.#gpu!.memory.free(buffer.address);
    closeSync(buffer.fd);
    rmSync(join(this.#kernel.folder, buffer.file));
  }

  #import(inode: bigint): number {
    for (const buffer of this.#buffers.values()) if (buffer.inode === inode) return buffer.handle;
    throw new RequestError(ERRNO.EINVAL, 'the descriptor is no buffer of this kernel');
  }

  #submit(values: Readonly<Record<string, number | bigint>>, view: DataView, from: number): number {
    const submit = readSubmit(values, view, from);
    const { flags, buffers, relocations, words } = submit;
    if (values['pipe'] !== this.#node!.cores.length - 1) throw new RequestError(ERRNO.ENXIO, 'not the core that draws');
    const fault = submitFault(submit, (handle) => this.#buffers.get(handle)?.sizeBytes, this.#hasAddressSpaces);
    if (fault) throw new RequestError(ERRNO.EINVAL, fault);
    const listed = buffers.map(({ handle, presumed }) => {
      const buffer = this.#buffer(handle);
      this.#place(buffer, flags & 8 ? Number(presumed) : null);
      return buffer;
    });
    for (const { submitOffset, bufferIndex, bufferOffset } of relocations) {
      words[submitOffset / 4] = listed[bufferIndex]!.gpuAddress! + Number(bufferOffset);
    }
    if (words[0] === NO_MEMORY_WORD) throw new RequestError(ERRNO.ENOMEM);
    this.#fence++;
    if (words[0] === HANG_WORD) this.#isHung = true;
    else if (!this.#isHung)
      this.#run(
        words,
        listed,
        buffers.map((buffer) => (buffer.flags & 2) !== 0),
      );
    return this.#fence;
  }

  #place(buffer: FakeBuffer, wanted: number | null): void {
    if (wanted !== null && buffer.gpuAddress !== wanted) {
      const end = wanted + buffer.sizeBytes;
      for (const { gpuAddress, sizeBytes, handle } of this.#buffers.values()) {
        if (gpuAddress === null || handle === buffer.handle || gpuAddress >= end || wanted >= gpuAddress + sizeBytes)
          continue;
        throw new RequestError(ERRNO.ENOSPC, `the address of handle ${buffer.handle} is that of handle ${handle}`);
      }
      buffer.gpuAddress = wanted;
    }
    if (buffer.gpuAddress !== null) return;
    buffer.gpuAddress = this.#nextAddress;
    this.#nextAddress += pageBytes(buffer.sizeBytes);
  }

  /** Runs the stream with no other buffers than the listed, and lets it write only those that are listed as written. */
  #run(words: Uint32Array, listed: readonly FakeBuffer[], writes: readonly boolean[]): void {
    const gpu = this.#gpu!;
    const bytesOf = ({ address, sizeBytes }: FakeBuffer) => gpu.memory.raster.u8.subarray(address, address + sizeBytes);
    for (const buffer of listed) {
      readSync(buffer.fd, bytesOf(buffer), 0, buffer.sizeBytes, 0);
      gpu.invalidate({ ...buffer, gpuAddress: buffer.gpuAddress! });
    }
    gpu.mapBuffers(listed.map((buffer) => ({ ...buffer, gpuAddress: buffer.gpuAddress! })));
    const { error } = gpu.submit(words);
    if (error) {
      this.#kernel.faults.push(`the GPU stopped: ${error.message}`);
      this.#isHung = true;
    }
    for (const [index, buffer] of listed.entries()) {
      if (writes[index]) writeSync(buffer.fd, bytesOf(buffer), 0, buffer.sizeBytes, 0);
      else if (!isFileEqual(buffer, bytesOf(buffer))) {
        this.#kernel.faults.push(`the GPU wrote to handle ${buffer.handle}, which is listed as read`);
      }
    }
  }

  destroy(): void {
    for (const handle of [...this.#buffers.keys()]) this.#close(handle);
    this.#gpu?.destroy();
    this.#gpu = null;
    this.#socket.destroy();
  }
}

function isFileEqual({ fd, sizeBytes }: FakeBuffer, bytes: Uint8Array): boolean {
  const file = Buffer.alloc(sizeBytes);
  readSync(fd, file, 0, sizeBytes, 0);
  return file.equals(bytes);
}

function readSubmit(values: Readonly<Record<string, number | bigint>>, view: DataView, from: number): KernelSubmit {
  const boBytes = layoutOf('submitBo').sizeBytes;
  const relocBytes = layoutOf('submitReloc').sizeBytes;
  const relocsAt = from + Number(values['nr_bos']) * boBytes;
  const streamAt = relocsAt + Number(values['nr_relocs']) * relocBytes;
  const streamBytes = Number(values['stream_size']);
  return {
    execState: Number(values['exec_state']),
    flags: Number(values['flags']),
    streamBytes,
    buffers: Array.from({ length: Number(values['nr_bos']) }, (_, index) => {
      const bo = decodeStruct('submitBo', view, from + index * boBytes);
      return { flags: Number(bo['flags']), handle: Number(bo['handle']), presumed: BigInt(bo['presumed']!) };
    }),
    relocations: Array.from({ length: Number(values['nr_relocs']) }, (_, index) => {
      const reloc = decodeStruct('submitReloc', view, relocsAt + index * relocBytes);
      return {
        submitOffset: Number(reloc['submit_offset']),
        bufferIndex: Number(reloc['reloc_idx']),
        bufferOffset: BigInt(reloc['reloc_offset']!),
        flags: Number(reloc['flags']),
      };
    }),
    words: Uint32Array.from({ length: streamBytes >> 2 }, (_, index) => view.getUint32(streamAt + index * 4, true)),
  };
}

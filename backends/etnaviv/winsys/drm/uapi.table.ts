// What the kernel's etnaviv device takes and gives: structs, requests and numbers, as facts of its user interface (etnaviv_drm.h, drm.h).
//
// A test compiles a C program against the real headers and compares sizes, offsets, request numbers and constants with this table.

/** `long` and `pointer` are as wide as a pointer; the rest says its width. A struct's name stands for one inside of another. */
export type ScalarType = 'u8' | 'u16' | 'u32' | 's32' | 'u64' | 's64' | 'long' | 'pointer';

export type FieldRow = readonly [name: string, type: string, count?: number];

export interface StructRow {
  /** Its name in the header. */
  readonly header: string;
  readonly fields: readonly FieldRow[];
}

// biome-ignore format: a table is read by its columns
export const STRUCTS = {
  timespec:    { header: 'drm_etnaviv_timespec',        fields: [['tv_sec', 's64'], ['tv_nsec', 's64']] },
  param:       { header: 'drm_etnaviv_param',           fields: [['pipe', 'u32'], ['param', 'u32'], ['value', 'u64']] },
  gemNew:      { header: 'drm_etnaviv_gem_new',         fields: [['size', 'u64'], ['flags', 'u32'], ['handle', 'u32']] },
  gemInfo:     { header: 'drm_etnaviv_gem_info',        fields: [['handle', 'u32'], ['pad', 'u32'], ['offset', 'u64']] },
  gemCpuPrep:  { header: 'drm_etnaviv_gem_cpu_prep',    fields: [['handle', 'u32'], ['op', 'u32'], ['timeout', 'timespec']] },
  gemCpuFini:  { header: 'drm_etnaviv_gem_cpu_fini',    fields: [['handle', 'u32'], ['flags', 'u32']] },
  submitReloc: { header: 'drm_etnaviv_gem_submit_reloc', fields: [
    ['submit_offset', 'u32'], ['reloc_idx', 'u32'], ['reloc_offset', 'u64'], ['flags', 'u32']] },
  submitBo:    { header: 'drm_etnaviv_gem_submit_bo',   fields: [['flags', 'u32'], ['handle', 'u32'], ['presumed', 'u64']] },
  submitPmr:   { header: 'drm_etnaviv_gem_submit_pmr',  fields: [
    ['flags', 'u32'], ['domain', 'u8'], ['pad', 'u8'], ['signal', 'u16'], ['sequence', 'u32'], ['read_offset', 'u32'], ['read_idx', 'u32']] },
  submit:      { header: 'drm_etnaviv_gem_submit',      fields: [
    ['fence', 'u32'], ['pipe', 'u32'], ['exec_state', 'u32'], ['nr_bos', 'u32'], ['nr_relocs', 'u32'], ['stream_size', 'u32'],
    ['bos', 'u64'], ['relocs', 'u64'], ['stream', 'u64'], ['flags', 'u32'], ['fence_fd', 's32'], ['pmrs', 'u64'], ['nr_pmrs', 'u32'], ['pad', 'u32']] },
  waitFence:   { header: 'drm_etnaviv_wait_fence',      fields: [
    ['pipe', 'u32'], ['fence', 'u32'], ['flags', 'u32'], ['pad', 'u32'], ['timeout', 'timespec']] },
  gemUserptr:  { header: 'drm_etnaviv_gem_userptr',     fields: [['user_ptr', 'u64'], ['user_size', 'u64'], ['flags', 'u32'], ['handle', 'u32']] },
  gemWait:     { header: 'drm_etnaviv_gem_wait',        fields: [
    ['pipe', 'u32'], ['handle', 'u32'], ['flags', 'u32'], ['pad', 'u32'], ['timeout', 'timespec']] },
  pmDomain:    { header: 'drm_etnaviv_pm_domain',       fields: [
    ['pipe', 'u32'], ['iter', 'u8'], ['id', 'u8'], ['nr_signals', 'u16'], ['name', 'u8', 64]] },
  pmSignal:    { header: 'drm_etnaviv_pm_signal',       fields: [
    ['pipe', 'u32'], ['domain', 'u8'], ['pad', 'u8'], ['iter', 'u16'], ['id', 'u16'], ['name', 'u8', 64]] },
  version:     { header: 'drm_version',                 fields: [
    ['version_major', 's32'], ['version_minor', 's32'], ['version_patchlevel', 's32'],
    ['name_len', 'long'], ['name', 'pointer'], ['date_len', 'long'], ['date', 'pointer'], ['desc_len', 'long'], ['desc', 'pointer']] },
  gemClose:    { header: 'drm_gem_close',               fields: [['handle', 'u32'], ['pad', 'u32']] },
  primeHandle: { header: 'drm_prime_handle',            fields: [['handle', 'u32'], ['flags', 'u32'], ['fd', 's32']] },
} as const satisfies Record<string, StructRow>;

export type StructName = keyof typeof STRUCTS;

export interface IoctlRow {
  /** The request's name in the header. */
  readonly header: string;
  /** Numbers of a driver start at 0x40. */
  readonly number: number;
  /** Seen from the program: it writes arguments, reads results. */
  readonly direction: 'w' | 'rw';
  readonly struct: StructName;
}

// biome-ignore format: a table is read by its columns
export const IOCTLS = {
  version:        { header: 'DRM_IOCTL_VERSION',              number: 0x00, direction: 'rw', struct: 'version' },
  gemClose:       { header: 'DRM_IOCTL_GEM_CLOSE',            number: 0x09, direction: 'w',  struct: 'gemClose' },
  primeExport:    { header: 'DRM_IOCTL_PRIME_HANDLE_TO_FD',   number: 0x2d, direction: 'rw', struct: 'primeHandle' },
  primeImport:    { header: 'DRM_IOCTL_PRIME_FD_TO_HANDLE',   number: 0x2e, direction: 'rw', struct: 'primeHandle' },
  getParam:       { header: 'DRM_IOCTL_ETNAVIV_GET_PARAM',    number: 0x40, direction: 'rw', struct: 'param' },
  gemNew:         { header: 'DRM_IOCTL_ETNAVIV_GEM_NEW',      number: 0x42, direction: 'rw', struct: 'gemNew' },
  gemInfo:        { header: 'DRM_IOCTL_ETNAVIV_GEM_INFO',     number: 0x43, direction: 'rw', struct: 'gemInfo' },
  gemCpuPrep:     { header: 'DRM_IOCTL_ETNAVIV_GEM_CPU_PREP', number: 0x44, direction: 'w',  struct: 'gemCpuPrep' },
  gemCpuFini:     { header: 'DRM_IOCTL_ETNAVIV_GEM_CPU_FINI', number: 0x45, direction: 'w',  struct: 'gemCpuFini' },
  gemSubmit:      { header: 'DRM_IOCTL_ETNAVIV_GEM_SUBMIT',   number: 0x46, direction: 'rw', struct: 'submit' },
  waitFence:      { header: 'DRM_IOCTL_ETNAVIV_WAIT_FENCE',   number: 0x47, direction: 'w',  struct: 'waitFence' },
  gemUserptr:     { header: 'DRM_IOCTL_ETNAVIV_GEM_USERPTR',  number: 0x48, direction: 'rw', struct: 'gemUserptr' },
  gemWait:        { header: 'DRM_IOCTL_ETNAVIV_GEM_WAIT',     number: 0x49, direction: 'w',  struct: 'gemWait' },
  queryDomain:    { header: 'DRM_IOCTL_ETNAVIV_PM_QUERY_DOM', number: 0x4a, direction: 'rw', struct: 'pmDomain' },
  querySignal:    { header: 'DRM_IOCTL_ETNAVIV_PM_QUERY_SIG', number: 0x4b, direction: 'rw', struct: 'pmSignal' },
} as const satisfies Record<string, IoctlRow>;

export type IoctlName = keyof typeof IOCTLS;

/** Parameters of GET_PARAM, in the order of their numbers from 1 on. */
export const PARAMS = [
  'GPU_MODEL',
  'GPU_REVISION',
  ...Array.from({ length: 13 }, (_, index) => `GPU_FEATURES_${index}` as const),
  'GPU_STREAM_COUNT',
  'GPU_REGISTER_MAX',
  'GPU_THREAD_COUNT',
  'GPU_VERTEX_CACHE_SIZE',
  'GPU_SHADER_CORE_COUNT',
  'GPU_PIXEL_PIPES',
  'GPU_VERTEX_OUTPUT_BUFFER_SIZE',
  'GPU_BUFFER_SIZE',
  'GPU_INSTRUCTION_COUNT',
  'GPU_NUM_CONSTANTS',
  'GPU_NUM_VARYINGS',
  'SOFTPIN_START_ADDR',
  'GPU_PRODUCT_ID',
  'GPU_CUSTOMER_ID',
  'GPU_ECO_ID',
] as const;

export type ParamName = (typeof PARAMS)[number];

/** Under the header's names. */
export const CONSTANTS = {
  ETNA_MAX_PIPES: 4,
  ETNA_BO_CACHED: 0x10000,
  ETNA_BO_WC: 0x20000,
  ETNA_BO_UNCACHED: 0x40000,
  ETNA_BO_FORCE_MMU: 0x100000,
  ETNA_PREP_READ: 1,
  ETNA_PREP_WRITE: 2,
  ETNA_PREP_NOSYNC: 4,
  ETNA_SUBMIT_BO_READ: 1,
  ETNA_SUBMIT_BO_WRITE: 2,
  ETNA_PM_PROCESS_PRE: 1,
  ETNA_PM_PROCESS_POST: 2,
  ETNA_SUBMIT_NO_IMPLICIT: 1,
  ETNA_SUBMIT_FENCE_FD_IN: 2,
  ETNA_SUBMIT_FENCE_FD_OUT: 4,
  ETNA_SUBMIT_SOFTPIN: 8,
  ETNA_PIPE_3D: 0,
  ETNA_PIPE_2D: 1,
  ETNA_PIPE_VG: 2,
  ETNA_WAIT_NONBLOCK: 1,
} as const;

-- A dissector for Wireshark: the line between a host and a touch board.
--
-- Made by `hil-bridge protocol --wireshark` from the types of the messages; a test compares
-- it with what this build makes. Use it with
--
--   wireshark -X lua_script:touchboard.lua capture.pcapng
--
-- or put it in the folder of personal Lua plugins (Help, About, Folders). Captures are made
-- by `hil-bridge watch-line --pcapng capture.pcapng`.
--
-- A packet is a wire frame with its zeros: 00 COBS(message CRC-32C) 00. The flags of the
-- packet say which way it went.

--[[ types of messages ]]

local touchboard = Proto("touchboard", "Touch board")

local fields = {
  direction = ProtoField.string("touchboard.direction", "Direction"),
  name = ProtoField.string("touchboard.name", "Message"),
  kind = ProtoField.string("touchboard.kind", "Kind"),
  what = ProtoField.string("touchboard.what", "Which"),
  number = ProtoField.string("touchboard.number", "Number"),
  tick = ProtoField.string("touchboard.tick", "Tick"),
  crc = ProtoField.string("touchboard.crc", "CRC-32C"),
  error = ProtoField.string("touchboard.error", "Error"),
  body = ProtoField.bytes("touchboard.body", "Message bytes"),
}
touchboard.fields = fields

local no_message = ProtoExpert.new(
  "touchboard.no_message", "No message", expert.group.MALFORMED, expert.severity.ERROR
)
touchboard.experts = { no_message }

-- Lua 5.2 has bit32, 5.4 an operator; Wireshark has bit in both.
local xor = (bit32 and bit32.bxor) or (bit and bit.bxor)
  or load("return function(a, b) return a ~ b end")()

local CRC_TABLE = {}
for index = 0, 255 do
  local crc = index
  for _ = 1, 8 do
    local odd = crc % 2 == 1
    crc = math.floor(crc / 2)
    if odd then
      crc = xor(crc, 0x82F63B78) % 0x100000000
    end
  end
  CRC_TABLE[index] = crc
end

local function crc32c(text)
  local crc = 0xFFFFFFFF
  for place = 1, #text do
    local index = xor(crc % 256, text:byte(place)) % 256
    crc = xor(math.floor(crc / 256), CRC_TABLE[index]) % 0x100000000
  end
  return xor(crc, 0xFFFFFFFF) % 0x100000000
end

-- What stood between two zeros, with its zeros again; nil if it is not COBS.
local function uncobs(text)
  local pieces, place = {}, 1
  while place <= #text do
    local code = text:byte(place)
    local last = place + code - 1
    if code == 0 or last > #text then
      return nil
    end
    pieces[#pieces + 1] = text:sub(place + 1, last)
    if code < 255 and last < #text then
      pieces[#pieces + 1] = "\0"
    end
    place = last + 1
  end
  return table.concat(pieces)
end

-- `NotGreeted` is `not-greeted`.
local function word(name)
  return (name:gsub("(%l)(%u)", "%1-%2"):lower())
end

-- Reads values off the bytes of a message, and puts them in the tree.
local Reader = {}
Reader.__index = Reader

function Reader.new(text, tvb)
  return setmetatable({ text = text, tvb = tvb, place = 0, variants = {}, seen = {} }, Reader)
end

function Reader:byte()
  local byte = self.text:byte(self.place + 1)
  if not byte then
    error("the message ends early", 0)
  end
  self.place = self.place + 1
  return byte
end

-- A number of seven bits a byte, the lowest first: as one, and as sixteen hexadecimal
-- digits, since a number of Lua has 53 bits.
function Reader:varint()
  local low, high, shift = 0, 0, 0
  repeat
    if shift > 63 then
      error("a number is too long", 0)
    end
    local byte = self:byte()
    for bit_place = 0, 6 do
      local is_set = math.floor(byte / 2 ^ bit_place) % 2 == 1
      local at = shift + bit_place
      if is_set and at < 32 then
        low = low + 2 ^ at
      elseif is_set then
        high = high + 2 ^ (at - 32)
      end
    end
    shift = shift + 7
  until byte < 128
  return high * 2 ^ 32 + low, string.format("%08x%08x", high % 2 ^ 32, low)
end

function Reader:range(from)
  return self.tvb(from, self.place - from)
end

function Reader:leaf(tree, name, from, value)
  tree:add(self:range(from), name .. ": " .. value)
  self.seen[name] = self.seen[name] or value
end

-- A value that takes no part of its own in the type: struct, tuple, enum, list, option.
function Reader:group(tree, name, parts)
  local from = self.place
  local item = tree:add(self.tvb(from), name)
  parts(item)
  item:set_len(self.place - from)
  return item
end

function Reader:variant(tree, name, variants)
  local from = self.place
  local number = self:varint()
  local variant = variants[number + 1]
  if not variant then
    error("no variant has the number " .. number, 0)
  end
  self.variants[#self.variants + 1] = variant[1]
  if not variant[2] then
    tree:add(self:range(from), name .. ": " .. variant[1])
  else
    local item = tree:add(self.tvb(from), name .. ": " .. variant[1])
    self:value(item, variant[1], variant[2])
    item:set_len(self.place - from)
  end
end

function Reader:value(tree, name, of)
  local from = self.place
  if of == "bool" then
    self:leaf(tree, name, from, self:byte() == 0 and "false" or "true")
  elseif of == "u8" then
    self:leaf(tree, name, from, tostring(self:byte()))
  elseif of == "u16" or of == "u32" then
    local number = self:varint()
    self:leaf(tree, name, from, string.format("%.0f", number))
  elseif of == "u64" then
    local number, digits = self:varint()
    local text = number < 2 ^ 53 and string.format("%.0f", number) or "0x" .. digits
    self.seen[name .. " digits"] = self.seen[name .. " digits"] or digits
    self:leaf(tree, name, from, text)
  elseif of == "text" then
    local length = self:varint()
    local text = self.text:sub(self.place + 1, self.place + length)
    if #text < length then
      error("the message ends early", 0)
    end
    self.place = self.place + length
    self:leaf(tree, name, from, '"' .. text .. '"')
  elseif type(of) == "string" then
    local told = TYPES[of]
    if told.enum then
      self:variant(tree, name, told.enum)
    else
      self:value(tree, name .. " (" .. of .. ")", told)
    end
  elseif of.struct then
    self:group(tree, name, function(item)
      for _, field in ipairs(of.struct) do
        self:value(item, field[1], field[2])
      end
    end)
  elseif of.tuple then
    self:group(tree, name, function(item)
      for place, part in ipairs(of.tuple) do
        self:value(item, tostring(place), part)
      end
    end)
  elseif of.enum then
    self:variant(tree, name, of.enum)
  elseif of.option then
    if self:byte() == 0 then
      self:leaf(tree, name, from, "none")
    else
      self:value(tree, name, of.option)
    end
  elseif of.list then
    local length = self:varint()
    if of.list == "u8" then
      for _ = 1, length do
        self:byte()
      end
      tree:add(self:range(from), string.format("%s: %.0f bytes", name, length))
    else
      local item = tree:add(self.tvb(from), string.format("%s: %.0f", name, length))
      for place = 1, length do
        self:value(item, tostring(place), of.list)
      end
      item:set_len(self.place - from)
    end
  else
    error("a type that is not known: " .. name, 0)
  end
end

-- Which of its kind a message is: the variant in it that tells messages apart.
local TOLD_APART = { Request = true, Reply = true, Event = true }

local function name_of(variants)
  local kind = variants[1]
  if not TOLD_APART[kind] then
    return word(kind), nil
  end
  local what = variants[2]
  if what == "Ok" or what == "Err" then
    what = variants[3]
  end
  return word(kind), what and word(what)
end

-- Both sides of a hello say which protocol they speak, in any version of it.
local function is_stranger(reader)
  local version, schema = reader.seen.version, reader.seen["schema digits"]
  return version ~= tostring(VERSION) or schema ~= SCHEMA
end

local function refuse(tree, pinfo, kind, why)
  tree:add(fields.kind, kind)
  tree:add(fields.name, kind)
  tree:add(fields.error, why)
  tree:add_proto_expert_info(no_message, why)
  pinfo.cols.info = kind .. ": " .. why
end

local function read_message(text, tvb, tree, pinfo, direction)
  local reader = Reader.new(text, tvb)
  local read, why = pcall(function()
    reader:value(tree, "Message", direction == "to-board" and "ToDevice" or "ToHost")
    if reader.place < #text then
      error("bytes are left behind the message", 0)
    end
  end)
  if reader.variants[1] == "Hello" and reader.seen.version and is_stranger(reader) then
    return refuse(tree, pinfo, "stranger", "a hello of another protocol")
  end
  if not read then
    return refuse(tree, pinfo, "unknown", why)
  end
  local kind, what = name_of(reader.variants)
  local name = what and (kind .. " " .. what) or kind
  tree:add(fields.kind, kind)
  if what then
    tree:add(fields.what, what)
  end
  tree:add(fields.name, name)
  for _, field in ipairs({ "number", "tick" }) do
    if reader.seen[field] then
      tree:add(fields[field], reader.seen[field])
    end
  end
  local number = reader.seen.number and " " .. reader.seen.number or ""
  pinfo.cols.info = name .. number
end

function touchboard.dissector(tvb, pinfo, root)
  local is_sent = pinfo.p2p_dir == P2P_DIR_SENT
  local direction = is_sent and "to-board" or "from-board"
  pinfo.cols.protocol = "touchboard"
  pinfo.cols.src = is_sent and "host" or "board"
  pinfo.cols.dst = is_sent and "board" or "host"
  local tree = root:add(touchboard, tvb())
  tree:add(fields.direction, direction)
  local raw = tvb:raw()
  if raw:sub(-1) ~= "\0" then
    return refuse(tree, pinfo, "unfinished", "the line ended inside a frame")
  end
  local stuffed = raw:gsub("^%z+", ""):gsub("%z+$", "")
  local plain = uncobs(stuffed)
  if not plain or #plain < 4 then
    return refuse(tree, pinfo, "malformed", "a frame was not well formed")
  end
  local text, sum = plain:sub(1, -5), plain:sub(-4)
  local a, b, c, d = sum:byte(1, 4)
  local told = a + b * 256 + c * 65536 + d * 16777216
  local is_good = crc32c(text) == told
  tree:add(fields.crc, string.format("%08x, %s", told, is_good and "good" or "bad"))
  if not is_good then
    return refuse(tree, pinfo, "damaged", "a frame was damaged on the way")
  end
  local body = ByteArray.new(text, true):tvb("Message")
  tree:add(fields.body, body())
  read_message(text, body, tree, pinfo, direction)
end

DissectorTable.get("wtap_encap"):add(wtap.USER0, touchboard)

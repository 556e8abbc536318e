// The block RAM of an iCE40: 4096 bits in rows of 16, read and written by 16, 8, 4 or 2 bits. A
// narrow word has every second, fourth or eighth bit of a row, and so of the data.

module SB_RAM40_4K (
  WADDR, RADDR, MASK, WDATA, RDATA, WE, WCLKE, WCLK, RE, RCLKE, RCLK
);
  parameter READ_MODE = 0;
  parameter WRITE_MODE = 0;
  parameter [255:0] INIT_0 = 0, INIT_1 = 0, INIT_2 = 0, INIT_3 = 0;
  parameter [255:0] INIT_4 = 0, INIT_5 = 0, INIT_6 = 0, INIT_7 = 0;
  parameter [255:0] INIT_8 = 0, INIT_9 = 0, INIT_A = 0, INIT_B = 0;
  parameter [255:0] INIT_C = 0, INIT_D = 0, INIT_E = 0, INIT_F = 0;

  input [10:0] WADDR, RADDR;
  input [15:0] MASK, WDATA;
  output [15:0] RDATA;
  input WE, WCLKE, WCLK, RE, RCLKE, RCLK;

  localparam [4095:0] INIT = {
    INIT_F, INIT_E, INIT_D, INIT_C, INIT_B, INIT_A, INIT_9, INIT_8,
    INIT_7, INIT_6, INIT_5, INIT_4, INIT_3, INIT_2, INIT_1, INIT_0
  };
  // A word has every STEP-th data pin, from FIRST on.
  localparam READ_STEP = 1 << READ_MODE, READ_FIRST = (READ_STEP - 1) / 2;
  localparam WRITE_STEP = 1 << WRITE_MODE, WRITE_FIRST = (WRITE_STEP - 1) / 2;

  reg [15:0] rows [0:255];
  reg [15:0] row = 0;
  reg [2:0] part = 0;
  integer n;

  initial
    for (n = 0; n < 256; n = n + 1) rows[n] = INIT[16 * n +: 16];

  wire [2:0] written = WRITE_MODE == 0 ? 0 : WADDR[10:8] & (WRITE_STEP - 1);
  wire [2:0] chosen = READ_MODE == 0 ? 0 : RADDR[10:8] & (READ_STEP - 1);
  wire [15:0] kept, given;

  always @(posedge WCLK)
    if (WE && WCLKE) rows[WADDR[7:0]] <= rows[WADDR[7:0]] & kept | given & ~kept;

  always @(posedge RCLK)
    if (RE && RCLKE) begin
      row <= rows[RADDR[7:0]];
      part <= chosen;
    end

  genvar g;
  generate
    for (g = 0; g < 16; g = g + 1) begin
      assign kept[g] = WRITE_MODE == 0 ? MASK[g] : g % WRITE_STEP != written;
      assign given[g] = WDATA[g - g % WRITE_STEP + WRITE_FIRST];
      assign RDATA[g] = g % READ_STEP == READ_FIRST ? row[g - READ_FIRST + part] : 1'b0;
    end
  endgenerate
endmodule
